-- Searches ignore vowel points, characters that nobody sees, and which of several Arabic letters was written; a full name in
-- a script without spaces is also found written together. This brings the stored texts of version 1.0 to what the service
-- stores now (src/domain/values/search-text.ts). Texts of ASCII characters stay as they are.

CREATE FUNCTION "fold_search_text"(search_text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT normalize(
    translate(
      regexp_replace(
        normalize(search_text, NFD),
        '['
    -- marks
    || '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a'
    || '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a'
    || '\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u0951-\u0954\u09bc\u0a3c\u0abc\u0b3c\u0e47-\u0e4e'
    || '\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufb1e\ufe20-\ufe2f'
    -- characters that nobody sees
    || '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164'
    || '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    || '\U000e0000-\U000e0fff'
    -- the Hebrew geresh and tatweel
    || '\u05f3\u0640'
        || ']', '', 'g'),
      -- alef, ya, ta marbuta and ha, kaf
      U&'\0671\0672\0673\0675\0649\06cc\0629\06be\06c1\06c3\06d5\06a9\06aa',
      U&'\0627\0627\0627\0627\064a\064a\0647\0647\0647\0647\0647\0643\0643'),
    NFC)
$$;

-- Clients see no change of a record: the triggers of the change feed are off meanwhile.
DO $$
DECLARE
  name TEXT;
  -- Han, kana and Hangul
  unspaced CONSTANT TEXT := '['
    || '\u1100-\u11ff\u3005-\u3007\u3040-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f'
    || '\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff'
    || ']';
BEGIN
  FOREACH name IN ARRAY ARRAY['designation', 'tag', 'department', 'prayer_request', 'form', 'event', 'service', 'member'] LOOP
    EXECUTE format('ALTER TABLE %I DISABLE TRIGGER %I', name, name || '_updated');
    EXECUTE format(
      'UPDATE %I SET search_text = fold_search_text(search_text)
       WHERE search_text ~ ''[^\x01-\x7f]'' AND search_text <> fold_search_text(search_text)', name);
    IF name = 'member' THEN
      UPDATE member SET search_text = search_text || chr(31)
        || split_part(search_text, chr(31), 2) || split_part(search_text, chr(31), 1) || split_part(search_text, chr(31), 2)
      WHERE split_part(search_text, chr(31), 1) ~ unspaced AND split_part(search_text, chr(31), 2) ~ unspaced;
    END IF;
    EXECUTE format('ALTER TABLE %I ENABLE TRIGGER %I', name, name || '_updated');
  END LOOP;
END
$$;

DROP FUNCTION "fold_search_text";
