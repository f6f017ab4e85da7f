import { getService, listServices, service } from '../../../domain/entities/service.ts';
import { addGet, addList, addType } from '../add-entity.ts';

addType(service);
addList(service, listServices);
addGet(service, getService);
