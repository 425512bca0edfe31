/** Words of the viewer. */
import { defineWords, filled } from '../language/words.ts'

export const words = defineWords({
  facts: { de: 'Angaben', en: 'Information' },
  smaller: { de: 'Kleiner', en: 'Zoom out' },
  larger: { de: 'Größer', en: 'Zoom in' },
  fit: { de: 'Einpassen', en: 'Fit' },
  original: { de: 'Originalgröße', en: 'Actual size' },
  percent: filled({ de: '# %', en: '#%' }),
  onlyStart: { de: 'Gezeigt wird nur der Anfang.', en: 'Only the beginning is shown.' },
})
