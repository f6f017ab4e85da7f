-- What the data set is made with; a schema of its own keeps it apart from the service's tables.
CREATE SCHEMA bench;

-- The organizations of the data set. The positions of their members follow one another, without gaps: those of an
-- organization are after first_position, up to last_position. What is beyond was created by a run.
CREATE TABLE bench.progress (
  organization_id text PRIMARY KEY,
  first_position bigint NOT NULL,
  last_position bigint NOT NULL,
  complete boolean NOT NULL DEFAULT false
);

-- A number from 0 to size - 1 that is always the same for the same row and purpose.
CREATE FUNCTION bench.draw(n bigint, purpose text, size int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (((hashint8extended(n, hashtext(purpose)) % size) + size) % size)::int
$$;

-- The same, where small numbers come up more often.
CREATE FUNCTION bench.draw_skewed(n bigint, purpose text, size int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT floor(size * power(bench.draw(n, purpose, 1000000) / 1000000.0, 2))::int
$$;

-- One of some texts.
CREATE FUNCTION bench.pick(n bigint, purpose text, texts text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT texts[1 + bench.draw(n, purpose, cardinality(texts))]
$$;

-- A TypeID on UUID version 7 (26 characters of Crockford's base 32) for a moment.
CREATE FUNCTION bench.new_id(prefix text, at timestamptz, n bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT prefix || '_' || (
      SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((ms >> (45 - 5 * digit)) & 31)::int, 1), '' ORDER BY digit)
      FROM generate_series(0, 9) AS digit, (SELECT (extract(epoch FROM at) * 1000)::bigint AS ms) AS moment
    ) || 'e' || substr(random, 1, 2) || translate(substr(random, 3, 1), '01234567cdef', '89ab89ab89ab') || substr(random, 4, 12)
  FROM (SELECT md5(prefix || n) AS random) AS hash
$$;

-- The members of one chunk, on their way into the service's tables.
CREATE UNLOGGED TABLE bench.new_member (
  n bigint PRIMARY KEY, at timestamptz NOT NULL, id text NOT NULL, first_name text NOT NULL, last_name text NOT NULL,
  search_name text NOT NULL, email text NOT NULL, phone text, address text, city text
);
