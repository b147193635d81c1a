#ifndef DAYBOOK_CEXIF_SHIM_H
#define DAYBOOK_CEXIF_SHIM_H

#include <libexif/exif-data.h>

#endif
