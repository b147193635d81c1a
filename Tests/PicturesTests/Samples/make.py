"""Makes the sample pictures beside it: python3 make.py (with Pillow; they were made by 13.0).

Upright, each shows four quarters: red and green above, blue and white below.
"""

import pathlib
import struct
import zlib

from PIL import Image, ImageOps

here = pathlib.Path(__file__).parent
quarters = Image.new("RGB", (64, 32), "white")
for corner, color in (((0, 0), "red"), ((32, 0), "lime"), ((0, 16), "blue")):
    quarters.paste(color, (*corner, corner[0] + 32, corner[1] + 16))

# How the upright picture is stored under each value of Exif's orientation.
turned = Image.Transpose
stored = {
    1: None,
    2: turned.FLIP_LEFT_RIGHT,
    3: turned.ROTATE_180,
    4: turned.FLIP_TOP_BOTTOM,
    5: turned.TRANSPOSE,
    6: turned.ROTATE_90,
    7: turned.TRANSVERSE,
    8: turned.ROTATE_270,
}


def turned_by(orientation):
    how = stored[orientation]
    picture = quarters.transpose(how) if how is not None else quarters.copy()
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture.info["exif"] = exif.tobytes()
    assert ImageOps.exif_transpose(picture).tobytes() == quarters.tobytes()
    return picture, exif


def png(name, width, height, depth, color_type, interlace, data):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlace)
    content = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")
    (here / name).write_bytes(b"\x89PNG\r\n\x1a\n" + content)


for orientation in stored:
    picture, exif = turned_by(orientation)
    picture.save(here / f"orientation-{orientation}.jpg", quality=90, exif=exif)
picture, exif = turned_by(6)
picture.save(here / "orientation-6.png", exif=exif)
picture.save(here / "orientation-6.webp", lossless=True, exif=exif)

quarters.convert("CMYK").save(here / "cmyk.jpg", quality=90)
quarters.convert("L").save(here / "grey.jpg", quality=90)
quarters.save(here / "progressive.jpg", quality=90, progressive=True)
quarters.quantize(4).save(here / "palette.png")
quarters.convert("1").save(here / "one-bit.png")
quarters.save(here / "transparent-color.png", transparency=(255, 255, 255))
see_through = quarters.convert("RGBA")
see_through.paste((0, 0, 0, 0), (32, 16, 64, 32))
see_through.save(here / "transparent.png")
see_through.save(here / "transparent.webp", lossless=True)
see_through.quantize(8).save(here / "transparent-palette.png")
quarters.save(here / "lossy.webp", quality=90)
quarters.save(here / "lossless.webp", lossless=True)
quarters.save(here / "animated.webp", save_all=True, append_images=[ImageOps.invert(quarters)], lossless=True)

pixels = quarters.load()


def row(y, xs, form):
    return b"\0" + b"".join(struct.pack(form, *(value * (257 if "H" in form else 1) for value in pixels[x, y])) for x in xs)


png("sixteen-bit.png", 64, 32, 16, 2, 0, b"".join(row(y, range(64), ">3H") for y in range(32)))
# The seven passes of Adam7: where each begins, and its steps.
passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
data = b"".join(row(y, range(x0, 64, dx), "3B") for x0, y0, dx, dy in passes for y in range(y0, 32, dy))
png("interlaced.png", 64, 32, 8, 2, 1, data)

Image.new("RGB", (1, 1), "red").save(here / "pixel.png")
Image.new("RGB", (10000, 1), "red").save(here / "line.png")
Image.new("RGB", (1, 10000), "red").save(here / "line.jpg")
# 15,000 × 15,000 black pixels in some kilobytes.
png("bomb.png", 15000, 15000, 1, 0, 0, b"\0" * (1 + 1875) * 15000)
