/* export/zip.h - inside the module: an archive of stored files. */
#ifndef EXPORT_ZIP_H
#define EXPORT_ZIP_H
#include "../base/base.h"

typedef struct zip zip;

zip *zip_begin(arena *a);
void zip_add(zip *z, const char *name, const char *data, size_t length);
const char *zip_end(zip *z, size_t *length);

#endif
