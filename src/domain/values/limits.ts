/*
 * Limits on requests, imported files, stored data and echoed input. The comment of each constant names what is limited;
 * the constant is its maximum number or size. Sizes are checked before anything else, so that rejecting oversized input
 * is cheap.
 */

/** The organizations that a person can belong to (specification, "Limits"). */
export const MAX_ORGANIZATIONS_PER_PERSON = 3;

/** The body of a request to an API. */
export const MAX_BODY_BYTES = 100 * 1024;

/** The fields of an object, and the items of a list, in a JSON body, in `variables` and in `extensions`. */
export const MAX_JSON_MEMBERS = 2_000;

/** The parameters of a query string; each is compared with those of the operation. A list of ids has at most 100 values. */
export const MAX_QUERY_PARAMETERS = 200;

/** Maximum number of chunks of a body with `Transfer-Encoding: chunked`: each takes time, however short it is. */
export const MAX_BODY_CHUNKS = 5_000;

/** The body of an HTML form of the developer pages; the largest one creates a key, with a name and scopes. */
export const MAX_HTML_FORM_BYTES = 16 * 1024;

/** The fields of an HTML form of the developer pages. */
export const MAX_HTML_FORM_FIELDS = 100;

/** Short text: names, titles, addresses. */
export const MAX_SHORT_TEXT_CHARACTERS = 255;

/** Long text: descriptions. */
export const MAX_LONG_TEXT_CHARACTERS = 10_000;

/** The ids to which a list is limited. */
export const MAX_LISTED_IDS = 100;

/** The ids of one filter of a list. */
export const MAX_FILTER_IDS = 50;

/** The records of a list that are counted exactly. */
export const MAX_COUNTED_RECORDS = 10_000;

/** The text of a search. */
export const MAX_SEARCH_CHARACTERS = 200;

/** A password. */
export const MAX_PASSWORD_CHARACTERS = 256;

/**
 * The UTF-16 code units that text may have before normalization, for each allowed character (code point) after it.
 *
 * Normalization to NFC composes characters, so text can exceed a limit as sent and meet it as stored. No character of
 * NFC decomposes into more than 6 units (U+16126), so text that would fit is never rejected. The exception is text with
 * a lot of leading or trailing white space, which is trimmed only later.
 */
export const MAX_UTF16_UNITS_PER_CHARACTER = 6;

/**
 * Consecutive combining marks. Normalization sorts them in quadratic time. Unicode's Stream-Safe Text Format (UAX #15)
 * allows 30, which is more than any language needs; decorative text has more.
 */
export const MAX_COMBINING_MARKS_IN_A_ROW = 50;

/** The answers of a form response. */
export const MAX_ANSWERS = 1_000;

/** The questions of a form that is imported. */
export const MAX_QUESTIONS = 500;

/** The tags of a member in a row of an imported file. */
export const MAX_TAGS = 1_000;

/** The days of an event that is imported. */
export const MAX_EVENT_DAYS = 1_000;

/** The days of a service that is imported: days of the week, but any text is accepted. */
export const MAX_SERVICE_DAYS = 100;

/** The name of a column or field in an imported file; longer names match no field. */
export const MAX_COLUMN_NAME_CHARACTERS = 255;

/** The invalid fields that one error lists. */
export const MAX_LISTED_ERRORS = 50;

/** The part of an input name or value that an error echoes. */
export const MAX_ECHOED_CHARACTERS = 100;

/** The columns of a file that are shown by name. */
export const MAX_LISTED_COLUMNS = 100;

/** An id in an input; the service's own ids have 30 characters. */
export const MAX_ID_CHARACTERS = 255;

/** The tags that one request adds and removes. */
export const MAX_TAG_IDS = 100;

/** The member ids of all departments in one response: 6.6 MB of JSON. */
export const MAX_MEMBER_IDS = 200_000;

/** The long values (JSON of lists and long text) of the records of a page; a page has at least one record. */
export const MAX_PAGE_BYTES = 1_000_000;

/** The long values of records that are read by id, without pagination. */
export const MAX_BYTES_BY_ID = 8_000_000;

/** The outcome that is stored for an Idempotency-Key, as JSON in UTF-8: more than a form response with a body of 100 KB. */
export const MAX_OUTCOME_BYTES = 128 * 1024;

/** The columns of a CSV file, and the fields of a line of NDJSON. */
export const MAX_COLUMNS = 1_000;

/** The nesting depth of values in a line of NDJSON or a cell of CSV; they are processed recursively. */
export const MAX_DEPTH = 64;

/** The values of a row of a file, including lists, objects and the values in them; each takes time and memory. */
export const MAX_ROW_VALUES = 20_000;

/** A row of a file that is imported, with its delimiters and line end. */
export const MAX_ROW_BYTES = 1_048_576;

/** The file that maps columns to fields. */
export const MAX_MAPPING_BYTES = 1_048_576;

/** A batch of rows of a file: their bytes, plus an allowance for each value. Two batches can be in memory. */
export const MAX_BATCH_BYTES = 16 * MAX_ROW_BYTES;
