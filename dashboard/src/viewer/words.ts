/** Words of the viewer. */
import { defineWords, filled } from '../language/words.ts'

export const words = defineWords({
  previous: { de: 'Vorige Datei', en: 'Previous file' },
  next: { de: 'Nächste Datei', en: 'Next file' },
  close: { de: 'Schließen', en: 'Close' },
  counter: filled({ de: '# von #', en: '# of #' }),
  preview: { de: 'Vorschau', en: 'Preview' },
  facts: { de: 'Angaben', en: 'Information' },
  smaller: { de: 'Kleiner', en: 'Zoom out' },
  larger: { de: 'Größer', en: 'Zoom in' },
  fit: { de: 'Einpassen', en: 'Fit' },
  original: { de: 'Originalgröße', en: 'Actual size' },
  percent: filled({ de: '# %', en: '#%' }),
  gone: { de: 'Diese Datei gibt es hier nicht mehr.', en: 'This file is no longer here.' },
  noPreview: { de: 'Keine Vorschau', en: 'No preview' },
  onlyStart: { de: 'Gezeigt wird nur der Anfang.', en: 'Only the beginning is shown.' },
  openPdf: { de: 'In neuem Fenster öffnen', en: 'Open in a new window' },
})
