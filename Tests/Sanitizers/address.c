// Linked into each executable that AddressSanitizer watches, by run-sanitizers.

// Services and commands are started with an environment of their own, so that it says nothing of reports.
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  // Leaks are looked for elsewhere: what lives as long as the process, as Swift's statics and libzmq's context, is not freed
  // at its end.
  return "log_path=" REPORTS ":detect_leaks=0";
}
