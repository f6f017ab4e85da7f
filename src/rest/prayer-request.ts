import type { PrayerRequest } from '../domain/prayer-request.ts';

/** A prayer request, field by field (specification, "Prayer request"). */
export function presentPrayerRequest(request: PrayerRequest): object {
  return {
    id: request.id,
    title: request.title,
    description: request.description,
    sender: request.sender,
    sender_email: request.sender_email,
    sender_phone: request.sender_phone,
    status: request.status,
    answered_at: request.answered_at,
    created_at: request.created_at,
    updated_at: request.updated_at,
  };
}
