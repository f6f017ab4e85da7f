import { listServices, service } from '../../domain/service.ts';
import { addList, addType } from './add-entity.ts';

addType(service);
addList(service, listServices);
