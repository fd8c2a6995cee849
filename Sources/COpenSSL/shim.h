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

static inline int bh_err_reason(unsigned long code) { return ERR_GET_REASON(code); }
static inline GENERAL_NAMES *bh_x509_alternative_names(X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline void bh_general_names_free(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }
static inline int bh_general_names_count(GENERAL_NAMES *names) { return names ? sk_GENERAL_NAME_num(names) : 0; }

// The bytes of a DNS name (GEN_DNS) or an address (GEN_IPADD); NULL for every other kind.
static inline const unsigned char *bh_general_name(GENERAL_NAMES *names, int index, int *type, int *length) {
    GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    void *value = GENERAL_NAME_get0_value(name, type);
    if (*type != GEN_DNS && *type != GEN_IPADD) return NULL;
    *length = ASN1_STRING_length((ASN1_STRING *)value);
    return ASN1_STRING_get0_data((ASN1_STRING *)value);
}

static inline int bh_x509_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (!extension) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

// TLS

static inline int bh_ctx_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline void bh_ctx_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                     SSL_OP_PRIORITIZE_CHACHA);
}
static inline long bh_ctx_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline long bh_ctx_disable_session_cache(SSL_CTX *context) {
    return SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int bh_ctx_set_groups(SSL_CTX *context, const char *groups) {
    return SSL_CTX_set1_groups_list(context, groups);
}
static inline int bh_ctx_set_signatures(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_sigalgs_list(context, names);
}

// Says in the ServerHello that the client's server name was used (RFC 6066, section 3).
static inline int bh_acknowledge_name(SSL *ssl, int *alert, void *argument) { return SSL_TLSEXT_ERR_OK; }
static inline long bh_ctx_acknowledge_names(SSL_CTX *context) {
    return SSL_CTX_set_tlsext_servername_callback(context, bh_acknowledge_name);
}

typedef int (*bh_ticket_key_callback)(SSL *, unsigned char *, unsigned char *, EVP_CIPHER_CTX *, EVP_MAC_CTX *, int);
static inline long bh_ctx_set_ticket_key_callback(SSL_CTX *context, bh_ticket_key_callback callback) {
    return SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}
static inline int bh_mac_init_sha256(EVP_MAC_CTX *mac, const unsigned char *key, size_t length) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                               OSSL_PARAM_construct_end()};
    return EVP_MAC_init(mac, key, length, parameters);
}
static inline int bh_select_protocol(const unsigned char **chosen, unsigned char *length, const unsigned char *ours,
                                     unsigned int ours_length, const unsigned char *offered, unsigned int offered_length) {
    return SSL_select_next_proto((unsigned char **)chosen, length, ours, ours_length, offered, offered_length);
}
static inline int bh_ssl_set_chain(SSL *ssl, STACK_OF(X509) *chain) { return (int)SSL_set1_chain(ssl, chain); }
static inline STACK_OF(X509) *bh_x509_stack_new(void) { return sk_X509_new_null(); }
static inline int bh_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline void bh_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline void bh_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void bh_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

#endif
