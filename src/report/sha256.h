/* report/sha256.h - inside the module: SHA-256 of a text, in 64 hexadecimal digits. */
#ifndef REPORT_SHA256_H
#define REPORT_SHA256_H
#include <stddef.h>
#include <stdint.h>

void sha256(const char *data, size_t length, char hex[65]);

#endif
