/* report/assets.h - scripts and styles that go into pages: the files of src/report/web, put into
 * the library by cmake/Assets.cmake. */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H
#include <stddef.h>

typedef struct asset {
    const char *name, *text; /* "page.css" */
    size_t length;
    const char *sha256; /* 64 hexadecimal digits */
} asset;

extern const asset report_assets[]; /* up to one without a name */

#endif
