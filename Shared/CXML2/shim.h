#ifndef DAYBOOK_CXML2_SHIM_H
#define DAYBOOK_CXML2_SHIM_H

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

// xmlFree is a variable that holds a function.
static inline void daybook_xml_free(void *memory) { xmlFree(memory); }

#endif
