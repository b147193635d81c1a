#ifndef DAYBOOK_LIBARCHIVE_H
#define DAYBOOK_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

// The functions of libarchive that are used, each as the header declares it.
#define DAYBOOK_LIBARCHIVE_FUNCTIONS(use) \
    use(archive_errno) use(archive_error_string) \
    use(archive_write_new) use(archive_write_free) use(archive_write_close) use(archive_write_fail) use(archive_write_open_fd) \
    use(archive_write_set_format_pax_restricted) use(archive_write_set_bytes_in_last_block) \
    use(archive_write_header) use(archive_write_data) \
    use(archive_read_new) use(archive_read_free) use(archive_read_open_fd) use(archive_read_data) \
    use(archive_read_support_format_tar) use(archive_read_support_filter_gzip) \
    use(archive_read_support_filter_xz) use(archive_read_support_filter_zstd) \
    use(archive_read_next_header) \
    use(archive_entry_new) use(archive_entry_free) use(archive_entry_set_pathname_utf8) \
    use(archive_entry_set_size) use(archive_entry_set_mtime) use(archive_entry_set_filetype) \
    use(archive_entry_set_perm) use(archive_entry_filetype) use(archive_entry_hardlink) \
    use(archive_entry_pathname)

struct daybook_libarchive {
#define DAYBOOK_FIELD(name) __typeof__(&name) name;
    DAYBOOK_LIBARCHIVE_FUNCTIONS(DAYBOOK_FIELD)
#undef DAYBOOK_FIELD
};

// Loads libarchive; false where it, or one of these functions, is missing. The caller sees to it that it is called once.
_Bool daybook_libarchive_load(struct daybook_libarchive *functions);

#endif
