"""Stands between clients and a service, and loses, repeats and reorders messages; its queues may hold a single one."""

import random
import threading

import zmq


class Relay:
    """One service's two sockets, passed on by a thread."""

    def __init__(self, context, folder, service, endpoints, seed, share=12, queue=None):
        """One message in `share` meets each of the three; `queue` is the high-water mark of all sockets."""
        self.context, self.share, self.random = context, share, random.Random(f"{seed}/{service}")
        self.ends = [f"ipc://{folder}/{service}.relay.{kind}" for kind in ("requests", "events")]
        self.done = {"lost frames": 0, "repeated frames": 0, "reordered frames": 0}
        self.bare = set()
        self.is_disturbing, self.is_over = True, threading.Event()
        pairs = ((zmq.ROUTER, zmq.DEALER), (zmq.XPUB, zmq.XSUB))
        self.pairs = [tuple(self.socket(kind, queue) for kind in pair) for pair in pairs]
        for (front, back), end, service_end in zip(self.pairs, self.ends, endpoints):
            front.bind(end)
            back.connect(service_end)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def socket(self, kind, queue):
        socket = self.context.socket(kind)
        socket.linger = 0
        if queue:
            socket.sndhwm = socket.rcvhwm = queue
        if kind == zmq.ROUTER:
            # A client that is gone takes nothing any more.
            socket.setsockopt(zmq.ROUTER_MANDATORY, 0)
        if kind == zmq.XPUB:
            socket.setsockopt(zmq.XPUB_VERBOSE, 1)
        return socket

    def run(self):
        poller, held = zmq.Poller(), {}
        ways = {}
        for front, back in self.pairs:
            ways[front], ways[back] = back, front
            poller.register(front, zmq.POLLIN)
            poller.register(back, zmq.POLLIN)
        while not self.is_over.is_set():
            for source, _ in poller.poll(50):
                target = ways[source]
                frames = self.enveloped(source, source.recv_multipart())
                # Subscriptions are no messages: they only go through.
                is_spared = source.type == zmq.XPUB or not self.is_disturbing
                for message in [frames] if is_spared else self.disturb(frames, held, target):
                    self.send(target, message)
            # What was held back comes behind the next, or after a while alone.
            for target in list(held):
                if self.random.random() < 0.2:
                    self.send(target, held.pop(target))
        for front, back in self.pairs:
            front.close()
            back.close()

    def enveloped(self, source, frames):
        """The client's routing id becomes part of the envelope, which a delimiter ends; one that it sent itself it gets back."""
        if source.type == zmq.ROUTER and frames[1]:
            self.bare.add(frames[0])
            return [frames[0], b"", *frames[1:]]
        if source.type == zmq.DEALER and frames[0] in self.bare:
            return [frames[0], *frames[2:]]
        return frames

    @staticmethod
    def send(target, frames):
        try:
            target.send_multipart(frames, zmq.DONTWAIT)
        except zmq.Again:
            pass  # Its queue is full: lost, too.

    def disturb(self, frames, held, target):
        chance = self.random.randrange(self.share)
        late = [held.pop(target)] if target in held else []
        if chance == 0:
            self.done["lost frames"] += 1
            return late
        if chance == 1:
            self.done["repeated frames"] += 1
            return [frames, *late, frames]
        if chance == 2 and not late:
            self.done["reordered frames"] += 1
            held[target] = frames
            return []
        return [frames, *late]

    def stop(self):
        self.is_over.set()
        self.thread.join()
