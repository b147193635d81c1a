#ifndef DAYBOOK_CSODIUM_SHIM_H
#define DAYBOOK_CSODIUM_SHIM_H

#include <sodium/crypto_hash_sha256.h>

#endif
