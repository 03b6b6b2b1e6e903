/* export/fmu.c - an FMU: description, sources, binary, in one archive. */
#include "fmu.h"

bool export_fmu(exported *e, const ah_export_options *options, ah_export *out)
{
    (void) options, (void) out;
    diag(e->ctx, A0701, NOWHERE, "there is no export to `fmu`");
    return false;
}
