import { event, listEvents } from '../../domain/event.ts';
import { addList, addType } from './add-entity.ts';

addType(event);
addList(event, listEvents);
