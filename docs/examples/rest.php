<?php
// Reads all members, creates a prayer request safely, and follows the changes. Needs only PHP 8.

function call(string $method, string $path, array $query = [], ?array $body = null, int $attempts = 5): array {
    $headers = ['X-Api-Key: ' . getenv('API_KEY'), 'Content-Type: application/json'];
    // The same for all attempts: the write happens once.
    if ($method !== 'GET') $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16));
    $options = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 60];
    if ($body !== null) $options['content'] = json_encode($body);
    $url = (getenv('API_URL') ?: 'http://127.0.0.1:4000') . "/v1$path?" . http_build_query($query);
    for ($attempt = 1; ; $attempt++) {
        $text = @file_get_contents($url, false, stream_context_create(['http' => $options]));
        $status = $text === false ? 503 : (int) explode(' ', $http_response_header[0])[1];
        if ($status < 400) return json_decode($text, true);
        $isTransient = in_array($status, [429, 500, 503]) && $attempt < $attempts;
        if (!$isTransient) exit("$status: " . (json_decode((string) $text, true)['error']['message'] ?? 'no response') . "\n");
        $wait = preg_grep('/^Retry-After: \d+$/i', $text === false ? [] : $http_response_header);
        sleep($wait ? (int) substr(end($wait), 13) : $attempt);
    }
}

function pages(string $path, array $query): Generator {
    do {
        ['data' => $data, 'pagination' => $pagination] = call('GET', $path, $query);
        $query['cursor'] = $pagination['next_cursor'];
        yield $query['cursor'] => $data;
    } while ($pagination['has_more']);
}

$count = 0;
foreach (pages('/members', ['limit' => 100]) as $members) $count += count($members);
echo "$count members\n";
$created = call('POST', '/prayer-requests', [], ['description' => 'Rain for the fields']);
echo "created: {$created['data']['status']}\n";
$cursor = ''; // Store it: the next run continues from it.
while (true) {
    foreach (pages('/changes', ['cursor' => $cursor, 'limit' => 100, 'wait' => 20]) as $cursor => $changes) {
        foreach ($changes as $change) echo "{$change['operation']} {$change['resource']} {$change['id']}\n";
    }
}
