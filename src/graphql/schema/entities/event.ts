import { event, eventDate, listEvents } from '../../../domain/entities/event.ts';
import { addList, addType } from '../add-entity.ts';
import { addObjectType } from '../entity-fields.ts';

addObjectType(eventDate);
addType(event);
addList(event, listEvents);
