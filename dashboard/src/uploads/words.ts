import { defineWords } from '../language/words.ts'

export const words = defineWords({
  upload: { de: 'Hochladen', en: 'Upload' },
  running: {
    de: (share: string) => `Hochladen läuft: ${share}`,
    en: (share: string) => `Uploading: ${share}`,
  },
  stored: {
    de: (count: number, text: string) =>
      count === 1 ? 'Eine Datei hochgeladen.' : `${text} Dateien hochgeladen.`,
    en: (count: number, text: string) => (count === 1 ? 'One file uploaded.' : `${text} files uploaded.`),
  },
})
