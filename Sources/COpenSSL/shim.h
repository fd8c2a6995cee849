#ifndef BRIDGEHOST_COPENSSL_H
#define BRIDGEHOST_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// OpenSSL's macros, as functions that Swift can import.

static inline EVP_PKEY *bh_ec_p256_generate(void) { return EVP_EC_gen("P-256"); }

#endif
