/*
 * How much the service accepts, keeps and echoes: the bounds on what is sent to it and on the files that it reads. Input
 * is measured before anything else is done with it, so that refusing it costs next to nothing, whatever it is.
 */

/** The body of a request to an API. */
export const MAX_BODY_BYTES = 100 * 1024;

/** A form of the developer pages; the longest is that of a new key, with a name and its scopes. */
export const MAX_FORM_BYTES = 16 * 1024;

/** The fields of such a form: more than any of them has. */
export const MAX_FORM_FIELDS = 100;

/** Short text: names, titles, addresses. */
export const MAX_SHORT_TEXT_CHARACTERS = 255;

/** Long text: descriptions. */
export const MAX_LONG_TEXT_CHARACTERS = 10_000;

/** The ids of one filter of a list. */
export const MAX_FILTER_IDS = 50;

/** Records that a list counts exactly; of more, only this number is told. */
export const MAX_COUNTED_RECORDS = 10_000;

/** The text of a search. */
export const MAX_SEARCH_CHARACTERS = 200;

/** A password that somebody chooses or types. */
export const MAX_PASSWORD_CHARACTERS = 256;

/**
 * How many UTF-16 code units text may have for each character (code point) that is allowed, before it is normalized.
 *
 * Normalization to NFC composes characters, so text can be too long as it was sent and allowed as it is stored. No
 * character of NFC decomposes into more than 6 units (U+16126 does; most of the longest have 4), so nothing that would
 * fit is refused for its length alone; only white space around it, which is removed, counts here and not there.
 */
export const MAX_UTF16_UNITS_PER_CHARACTER = 6;

/**
 * Combining marks without another character between them. Normalization sorts them, in a time that grows with the
 * square of their number. Unicode's Stream-Safe Text Format (UAX #15) has 30, more than any language needs; text that
 * stacks them for decoration has more.
 */
export const MAX_COMBINING_MARKS_IN_A_ROW = 100;

/** The answers of a form response that is imported. */
export const MAX_ANSWERS = 1_000;

/** The questions of a form that is imported. */
export const MAX_QUESTIONS = 500;

/** The tags that a row gives a member. */
export const MAX_TAGS = 1_000;

/** The days of an event that is imported. */
export const MAX_EVENT_DAYS = 1_000;

/** The days of the week, or whatever a file says instead, of a service that is imported. */
export const MAX_SERVICE_DAYS = 100;

/** The name of a column or field in a file that is imported; a longer one names no field. */
export const MAX_COLUMN_NAME_CHARACTERS = 255;

/** The wrong fields that one error lists. */
export const MAX_LISTED_ERRORS = 50;

/** What an error shows of a name or value that was sent. */
export const MAX_ECHOED_CHARACTERS = 100;

/** The columns of a file that are shown by name. */
export const MAX_LISTED_COLUMNS = 100;

/** An id that somebody sends; the service's own have 30 characters. */
export const MAX_ID_CHARACTERS = 255;

/** The tags that one request adds and removes. */
export const MAX_TAG_IDS = 100;

/** The ids of members that the departments of one answer show together: 6.6 MB of JSON. */
export const MAX_MEMBER_IDS = 200_000;

/** The outcome that is stored for an Idempotency-Key, as JSON in UTF-8. */
export const MAX_OUTCOME_BYTES = 64 * 1024;

/** The columns of a CSV file, and the fields of a line of NDJSON. */
export const MAX_COLUMNS = 1_000;

/** How deep the values of a line of NDJSON may nest; what works on them calls itself at each level. */
export const MAX_DEPTH = 64;

/** A row of a file that is imported, with its delimiters and line end. */
export const MAX_ROW_BYTES = 1_048_576;

/** The file that says which column is which field. */
export const MAX_MAPPING_BYTES = 1_048_576;

/** The rows of a file that are in memory together. */
export const MAX_BATCH_BYTES = 16 * MAX_ROW_BYTES;
