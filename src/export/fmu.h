/* export/fmu.h - inside the module: an FMU. */
#ifndef EXPORT_FMU_H
#define EXPORT_FMU_H
#include "exported.h"

/* One file, NAME.fmu. false: it cannot be, diagnostics say why. */
bool export_fmu(exported *e, const ah_export_options *options, ah_export *out);

#endif
