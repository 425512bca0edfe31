/** UI texts of the page of missing files. */
import { defineWords, filled, plural } from '../../language/words.ts'
import type { ListFormat } from './names/extract-names.ts'

const FORMAT_NAMES: Record<ListFormat, { de: string; en: string }> = {
  text: { de: 'Liste', en: 'list' },
  csv: { de: 'CSV-Tabelle', en: 'CSV table' },
  lua: { de: 'Lua-Tabelle', en: 'Lua table' },
}

export const words = defineWords({
  description: {
    de: 'Vergleicht eine Liste von Namen mit dem, was da ist, und füllt die Lücken.',
    en: 'Compares a list of names with what is there, and fills the gaps.',
  },

  list: { de: 'Namen, die es geben soll', en: 'Names that should exist' },
  listHint: {
    de: 'Einfügen, oder eine Datei hierher ziehen: .txt, .csv oder .lua, etwa eine items.lua.',
    en: 'Paste, or drop a file here: .txt, .csv or .lua, for example an items.lua.',
  },
  listExample: { de: 'apfel\nbrot\nwasser', en: 'apple\nbread\nwater' },
  chooseList: { de: 'Datei öffnen', en: 'Open a file' },
  dropList: { de: 'Loslassen, um die Namen herauszulesen', en: 'Drop to pick out the names' },
  clear: { de: 'Leeren', en: 'Clear' },
  found: {
    de: (count: number, countText: string, format: ListFormat) =>
      `${count === 1 ? 'Ein Name' : `${countText} Namen`} erkannt (${FORMAT_NAMES[format].de})`,
    en: (count: number, text: string, format: ListFormat) =>
      `${count === 1 ? 'One name' : `${text} names`} found (${FORMAT_NAMES[format].en})`,
  },
  noneFound: { de: 'Darin ist kein Name zu erkennen.', en: 'No names were found in this.' },
  tooMany: filled({
    de: 'Verglichen werden höchstens # Namen; der Rest bleibt außer Acht.',
    en: 'At most # names are compared; the rest is ignored.',
  }),
  notText: filled({
    de: '# ist keine Textdatei oder zu groß.',
    en: '# is not a text file, or is too large.',
  }),

  pattern: { de: 'Wo die Dateien liegen', en: 'File location' },
  patternHint: {
    de: 'Der Stern steht für den Namen.',
    en: 'The asterisk stands for the name.',
  },
  patternStar: {
    de: 'Es braucht einen * an der Stelle des Namens, etwa items/*.png.',
    en: 'It needs an * in place of the name, for example items/*.png.',
  },
  lowerCase: { de: 'Namen klein schreiben', en: 'Write names in lower case' },
  smallHint: {
    de: 'Adressen unterscheiden Groß- und Kleinschreibung. Hochgeladenes ist meist kleingeschrieben.',
    en: 'Addresses are case-sensitive. Uploads are mostly in lower case.',
  },

  missing: { de: 'Fehlend', en: 'Missing' },
  surplus: { de: 'Überzählig', en: 'Surplus' },
  present: plural({
    de: ['Eine Datei ist da.', '# Dateien sind da.'],
    en: ['One file is there.', '# files are there.'],
  }),
  result: { de: 'Ergebnis', en: 'Result' },
  begin: { de: 'Noch keine Liste', en: 'No list yet' },
  beginHint: {
    de: 'Mit einer Liste von Namen steht hier, welche Dateien fehlen und welche niemand braucht.',
    en: 'With a list of names this shows which files are missing and which nobody needs.',
  },
  complete: { de: 'Es fehlt nichts', en: 'Nothing is missing' },
  noSurplus: { de: 'Nichts ist überzählig', en: 'No surplus files' },
  noSurplusHint: {
    de: 'Jede Datei, auf die das Muster passt, steht in der Liste.',
    en: 'Every file that the pattern covers is in the list.',
  },
  copyNames: { de: 'Namen kopieren', en: 'Copy names' },
  fillHint: {
    de: 'Dateien hierher ziehen: auf einen Namen, oder viele auf einmal, dann entscheidet ihr Name.',
    en: 'Drop files here: on a name, or many at once, then their names decide.',
  },
  fillOne: filled({ de: 'Datei für # wählen', en: 'Choose a file for #' }),
  show: filled({ de: '# zeigen', en: 'Show #' }),

  unmatched: plural({
    de: ['Eine Datei wurde nicht hochgeladen', '# Dateien wurden nicht hochgeladen'],
    en: ['One file was not uploaded', '# files were not uploaded'],
  }),
  misfitName: { de: 'passt zu keinem fehlenden Namen', en: 'matches no missing name' },
  misfitKind: filled({
    de: 'ist keine #-Datei, wie das Muster sie verlangt',
    en: 'is not a # file, which the pattern asks for',
  }),
  misfitTwice: { de: 'für diesen Namen gibt es schon eine andere', en: 'this name already has another file' },
  dismiss: { de: 'Meldung schließen', en: 'Dismiss' },
})
