/** „Hierher hochladen“: asks for files and hands them to the queue. */
import { chooseFiles } from '../../uploads/uploads.ts'

export const uploadTo = (folder: string) => void chooseFiles(folder)
