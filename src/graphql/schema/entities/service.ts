import { listServices, service } from '../../../domain/entities/service.ts';
import { addList, addType } from '../add-entity.ts';

addType(service);
addList(service, listServices);
