import { designation, listDesignations } from '../../../domain/entities/designation.ts';
import { addList, addType } from '../add-entity.ts';

addType(designation);
addList(designation, listDesignations);
