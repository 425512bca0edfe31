import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Freigaben', en: 'Shares' },
  description: {
    de: 'Ordner, deren Liste jeder mit dem Link sehen kann.',
    en: 'Folders whose list anyone with the link can see.',
  },
  folder: { de: 'Ordner', en: 'Folder' },
  made: { de: 'Erstellt', en: 'Made' },
  by: { de: 'Von', en: 'By' },
  empty: { de: 'Noch nichts freigegeben', en: 'Nothing shared yet' },
  emptyHint: {
    de: 'Ein freigegebener Ordner ist ohne Anmeldung lesbar, für alle, die den Link haben.',
    en: 'A shared folder can be read without signing in, by everyone who has the link.',
  },
})
