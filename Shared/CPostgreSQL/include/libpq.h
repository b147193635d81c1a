#ifndef DAYBOOK_LIBPQ_H
#define DAYBOOK_LIBPQ_H

#include <postgresql/libpq-fe.h>

// The functions of libpq that are used, each as the header declares it.
#define DAYBOOK_LIBPQ_FUNCTIONS(use) \
    use(PQconnectdbParams) use(PQfinish) use(PQstatus) use(PQtransactionStatus) use(PQerrorMessage) \
    use(PQsetNoticeProcessor) use(PQparameterStatus) use(PQconninfoParse) use(PQconninfoFree) use(PQfreemem) \
    use(PQexec) use(PQprepare) use(PQexecPrepared) \
    use(PQresultStatus) use(PQresultErrorField) use(PQcmdStatus) use(PQcmdTuples) use(PQclear) \
    use(PQntuples) use(PQnfields) use(PQftype) use(PQgetisnull) use(PQgetvalue) use(PQgetlength)

struct daybook_libpq {
#define DAYBOOK_FIELD(name) __typeof__(&name) name;
    DAYBOOK_LIBPQ_FUNCTIONS(DAYBOOK_FIELD)
#undef DAYBOOK_FIELD
};

// Loads libpq; NULL where it, or one of these functions, is missing. The caller sees to it that it is called once.
const struct daybook_libpq *daybook_libpq_load(void);

// Has the server's notices dropped, which libpq writes to standard error otherwise.
void daybook_libpq_drop_notices(const struct daybook_libpq *functions, PGconn *connection);

#endif
