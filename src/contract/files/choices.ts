/** Choices for lists of files and their export, for the trash and for retention rules. */

export const SORT_ORDERS = ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The formats in which a list of files can be exported. */
export const EXPORT_FORMATS = ['json', 'csv', 'lua'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The orientations by which a list of files can be filtered. */
export const ORIENTATIONS = ['quer', 'hoch', 'quadratisch'] as const
export type Orientation = (typeof ORIENTATIONS)[number]

/** Why a file is in the trash: deleted, overwritten, or at the end of its retention period. */
export const TRASH_REASONS = ['geloescht', 'ueberschrieben', 'frist'] as const
export type TrashReason = (typeof TRASH_REASONS)[number]

/** The events with which a retention period can start. */
export const PERIOD_STARTS = ['hochgeladen', 'abgerufen'] as const
export type PeriodStart = (typeof PERIOD_STARTS)[number]
