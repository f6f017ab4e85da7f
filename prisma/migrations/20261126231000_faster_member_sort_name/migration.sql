-- Returns the same value as before for every text, so the indexes on it remain valid. Normalization and the removal of
-- combining marks take most of the time, and do not change ASCII text.
CREATE OR REPLACE FUNCTION "member_sort_name"(search_text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- The last name and the first name from the search text, in upper case, without combining marks.
  SELECT CASE WHEN octet_length(search_text) = length(search_text)
    THEN left(split_part(search_text, chr(31), 2), 100) || chr(31) || left(split_part(search_text, chr(31), 1), 100)
    ELSE regexp_replace(
      normalize(
        left(split_part(search_text, chr(31), 2), 100) || chr(31) || left(split_part(search_text, chr(31), 1), 100), NFD),
      '[\u0300-\u036F]', '', 'g')
  END
$$;
