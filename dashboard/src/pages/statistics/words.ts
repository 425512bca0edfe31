/** UI texts of the statistics. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  description: filled({
    de: 'Abrufe und Speicher der letzten # Tage.',
    en: 'Views and storage of the last # days.',
  }),
  storage: { de: 'Belegter Speicher', en: 'Storage used' },
  storageNow: filled({ de: '# in # Dateien', en: '# in # files' }),
  foldersNone: { de: 'Hier gibt es keine Unterordner.', en: 'There are no subfolders here.' },
  tokensNone: { de: 'Noch ist nichts hochgeladen.', en: 'Nothing has been uploaded yet.' },
  noToken: { de: 'ohne Token', en: 'without a token' },
  largest: { de: 'Größte Dateien', en: 'Largest files' },
  stalest: { de: 'Am längsten nicht abgerufen', en: 'Not viewed for longest' },
  none: { de: 'Hier liegen keine Dateien.', en: 'There are no files here.' },
  never: filled({ de: 'nie, hochgeladen #', en: 'never viewed, uploaded #' }),
  lastRetrieved: filled({ de: 'zuletzt #', en: 'last viewed #' }),
})
