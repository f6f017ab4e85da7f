import { event, eventDate, getEvent, listEvents } from '../../../domain/entities/event.ts';
import { addGet, addList, addType } from '../add-entity.ts';
import { addObjectType } from '../entity-fields.ts';

addObjectType(eventDate);
addType(event);
addList(event, listEvents);
addGet(event, getEvent);
