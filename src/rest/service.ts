import type { Service } from '../domain/service.ts';

/** A service, field by field (specification, "Service"). */
export function presentService(service: Service): object {
  return {
    id: service.id,
    title: service.title,
    description: service.description,
    schedule: service.schedule,
    date: service.date,
    start_date: service.start_date,
    end_date: service.end_date,
    start_time: service.start_time,
    end_time: service.end_time,
    frequency: service.frequency,
    days: service.days,
    location: service.location,
    recurring_id: service.recurring_id,
    created_at: service.created_at,
    updated_at: service.updated_at,
  };
}
