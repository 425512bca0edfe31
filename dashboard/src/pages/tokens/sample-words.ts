/** UI texts around the code samples, and the texts in them. */
import { defineWords } from '../../language/words.ts'

export const sampleWords = defineWords({
  example: { de: 'beispiel', en: 'example' },
  luaServer: {
    de: 'FiveM, Server: schickt eine Datei aus dem Ordner dieser Resource.',
    en: 'FiveM, server: sends a file from the folder of this resource.',
  },
  luaClient: {
    de: 'FiveM, Client: Bildschirmfoto mit screenshot-basic.',
    en: 'FiveM, client: screenshot with screenshot-basic.',
  },
  refused: { de: 'Abgelehnt, Status', en: 'Refused, status' },
  script: {
    de: 'Browser, Node oder Bun; file ist eine Datei, ein Blob oder ein Buffer.',
    en: 'Browser, Node or Bun; file is a file, a blob or a buffer.',
  },
  curlHint: {
    de: 'In der Windows PowerShell heißt der Befehl curl.exe.',
    en: 'In Windows PowerShell the command is called curl.exe.',
  },
  clientHint: {
    de: 'Der Schlüssel kommt dabei beim Spieler an. Dafür besser ein eigenes Token nehmen: mit Ordner, Kontingent, nur Bilder und ohne Löschrecht.',
    en: 'The key reaches the player this way. Better use a separate token for this: with a folder, a quota, pictures only and no right to delete.',
  },
  shareX: { de: 'ShareX-Datei herunterladen', en: 'Download ShareX file' },
  shareXHint: {
    de: 'Nach dem Herunterladen doppelklicken: ShareX lädt dann hierher hoch.',
    en: 'Double-click it after the download: ShareX then uploads here.',
  },
  samples: { de: 'Beispiele', en: 'Examples' },
  copyCode: { de: 'Beispiel kopieren', en: 'Copy example' },
  copyScreenshot: { de: 'Bildschirmfoto-Beispiel kopieren', en: 'Copy screenshot example' },
})
