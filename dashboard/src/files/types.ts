/** Types of files and folders, under the names that the files page uses. */
import type { z } from 'zod'
import type { FileAnswer, libraryAnswer } from '../../../src/contract/files/library.ts'

export type { FileAnswer }
export type LibraryAnswer = z.output<typeof libraryAnswer>
export type Folder = LibraryAnswer['ordner'][number]
