/* fuzz_lang.c - any bytes as a model: read, checked, and what is wrong with it printed.
 *
 * Small limits: an input that needs more ends with a placed error, and the fuzzer goes on. */
#include <anholo/lang.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.nodes = 100 * 1000;
    options.limits.terms = 2000;
    options.limits.memory = (size_t) 64 << 20;
    options.limits.seconds = 1;
    ah_ctx *ctx = ah_ctx_create(&options);
    ah_model *m;
    ah_read(ctx, "fuzz.ah", (const char *) data, size, NULL, &m);
    if (size && data[size / 2] & 1) /* the one or the other: they take as long as the reading */
        ah_diagnostics_text(ctx, false);
    else
        ah_diagnostics_json(ctx);
    ah_ctx_destroy(ctx);
    return 0;
}
