#ifndef DAYBOOK_CPANGO_SHIM_H
#define DAYBOOK_CPANGO_SHIM_H

#include <cairo-pdf.h>

// What is used of Pango 1.50, declared here: to include its own headers takes the flag -pthread, which SwiftPM does not
// hand on. Tests/PaperTests/run-declarations compiles this file behind Pango's headers, where a difference is an error.

typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

// Units of Pango in a unit of the device.
static const int DAYBOOK_PANGO_SCALE = 1024;
// PangoAlignment
static const unsigned int DAYBOOK_PANGO_ALIGN_LEFT = 0;
static const unsigned int DAYBOOK_PANGO_ALIGN_RIGHT = 2;
// PangoWrapMode
static const unsigned int DAYBOOK_PANGO_WRAP_WORD_CHAR = 2;
// PangoWeight
static const unsigned int DAYBOOK_PANGO_WEIGHT_NORMAL = 400;
static const unsigned int DAYBOOK_PANGO_WEIGHT_BOLD = 700;

PangoLayout *pango_cairo_create_layout(cairo_t *cr);
void pango_cairo_show_layout(cairo_t *cr, PangoLayout *layout);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *desc);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, unsigned int wrap);
void pango_layout_set_alignment(PangoLayout *layout, unsigned int alignment);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
int pango_layout_get_baseline(PangoLayout *layout);
PangoFontDescription *pango_font_description_from_string(const char *str);
void pango_font_description_set_absolute_size(PangoFontDescription *desc, double size);
void pango_font_description_set_weight(PangoFontDescription *desc, unsigned int weight);
void pango_font_description_free(PangoFontDescription *desc);
void g_object_unref(void *object);

#endif
