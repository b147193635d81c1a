// Linked into each executable by run-coverage.

// Services and commands are started with an environment of their own, so that it says nothing of where counts go. Up to eight
// files are kept for each executable (%8m): a process adds its counts to one of them when it ends.
__attribute__((visibility("hidden"))) const char __llvm_profile_filename[] = PROFILES "/%8m.profraw";
