import type { Event, EventDate } from '../domain/event.ts';

/** An event, field by field (specification, "Event"). */
export function presentEvent(event: Event): object {
  return {
    id: event.id,
    title: event.title,
    description: event.description,
    event_type: event.event_type,
    location: event.location,
    venue: event.venue,
    dates: event.dates.map(presentDate),
    start_time: event.start_time,
    end_time: event.end_time,
    maximum_participants: event.maximum_participants,
    participants: event.participants,
    created_at: event.created_at,
    updated_at: event.updated_at,
  };
}

function presentDate(date: EventDate): object {
  return { date: date.date, start_time: date.start_time, end_time: date.end_time };
}
