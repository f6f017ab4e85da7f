import { designation, getDesignation, listDesignations } from '../../../domain/entities/designation.ts';
import { addGet, addList, addType } from '../add-entity.ts';

addType(designation);
addList(designation, listDesignations);
addGet(designation, getDesignation);
