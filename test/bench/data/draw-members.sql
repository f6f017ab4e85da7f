-- Draws members $1 to $2. $3: when the first entered; $4: seconds between two; $5: first names; $6: the same folded
-- for search; $7: last names; $8: the rare last name; $9: streets; $10: cities.
INSERT INTO bench.new_member
WITH drawn AS (
  SELECT n, $3::timestamptz + n * $4::float8 * interval '1 second' AS at,
    1 + bench.draw_skewed(n, 'first', cardinality($5::text[])) AS first,
    CASE WHEN n % 100003 = 7 THEN $8::text
      ELSE ($7::text[])[1 + bench.draw_skewed(n, 'last', cardinality($7::text[]))] END AS last_name,
    CASE WHEN bench.draw(n, 'phone', 10) > 0
      THEN '202555' || lpad(bench.draw(n, 'line', 10000)::text, 4, '0') END AS phone,
    CASE WHEN bench.draw(n, 'home', 10) > 0
      THEN (1 + bench.draw(n, 'house', 2400)) || ' ' || bench.pick(n, 'street', $9::text[]) END AS address
  FROM generate_series($1::bigint, $2::bigint) AS n
)
SELECT n, at, bench.new_id('mem', at, n), ($5::text[])[first], last_name, ($6::text[])[first],
  translate(lower(($5::text[])[first]), 'áéëíóüñ', 'aeeioun') || '.' || lower(last_name) || '.' || n || '@example.org',
  phone, address, CASE WHEN address IS NOT NULL THEN bench.pick(n, 'city', $10::text[]) END
FROM drawn
