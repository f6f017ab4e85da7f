<?php
// Receives the changes of a webhook. Needs PHP 8, the package standard-webhooks/standard-webhooks, and a proxy for https.
// Start: php -S 127.0.0.1:8080 webhook.php
require 'vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

// The last delivery. Store it with your copy of the records, in one transaction.
$lastDelivery = sys_get_temp_dir() . '/last-delivery-' . hash('sha256', getenv('WEBHOOK_SECRET'));

$headers = array_change_key_case(getallheaders());
try {
    $delivery = (new Webhook(getenv('WEBHOOK_SECRET')))->verify(file_get_contents('php://input'), $headers);
} catch (WebhookVerificationException) {
    http_response_code(400);
    return;
}
// A repeated delivery has the same id, and may be answered without being processed again.
if ($headers['webhook-id'] !== @file_get_contents($lastDelivery)) {
    foreach ($delivery['changes'] as $change) {
        file_put_contents('php://stdout', "$change[operation] $change[resource] $change[id]\n");
    }
}
file_put_contents($lastDelivery, $headers['webhook-id']);
http_response_code(204);
