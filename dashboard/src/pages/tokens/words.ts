import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Tokens', en: 'Tokens' },
  description: { de: 'Schlüssel, mit denen Programme hochladen.', en: 'Keys with which programs upload.' },
  name: { de: 'Name', en: 'Name' },
  files: { de: 'Dateien', en: 'Files' },
  size: { de: 'Größe', en: 'Size' },
  used: { de: 'Zuletzt benutzt', en: 'Last used' },
  empty: { de: 'Noch kein Token', en: 'No token yet' },
  emptyHint: {
    de: 'Mit einem Token laden Spielserver, Bots und ShareX hoch.',
    en: 'With a token, game servers, bots and ShareX upload.',
  },
})
