/** UI texts of the viewer. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  facts: { de: 'Angaben', en: 'Information' },
  more: { de: 'Mehr', en: 'More' },
  select: { de: 'Auswählen', en: 'Select' },
  smaller: { de: 'Kleiner', en: 'Zoom out' },
  larger: { de: 'Größer', en: 'Zoom in' },
  fit: { de: 'Einpassen', en: 'Fit' },
  original: { de: 'Originalgröße', en: 'Actual size' },
  turn: { de: 'Ansicht drehen', en: 'Rotate the view' },
  pan: { de: 'Ausschnitt verschieben', en: 'Move the enlarged picture' },
  playOrPause: { de: 'Abspielen oder anhalten', en: 'Play or pause' },
  jumpBack: { de: '10 Sekunden zurück', en: '10 seconds back' },
  jumpAhead: { de: '10 Sekunden vor', en: '10 seconds ahead' },
  percent: filled({ de: '# %', en: '#%' }),
  onlyStart: { de: 'Gezeigt wird nur der Anfang.', en: 'Only the beginning is shown.' },
  damaged: {
    de: 'Das Bild ist beschädigt und lässt sich nicht anzeigen.',
    en: 'The picture is damaged and cannot be shown.',
  },
  damagedInPart: {
    de: 'Das Bild ist beschädigt. Zu sehen ist, was sich noch lesen lässt.',
    en: 'The picture is damaged. What can still be read is shown.',
  },
  beingMade: { de: 'Die Vorschau entsteht noch.', en: 'The preview is still being made.' },
  foreignFormat: {
    de: 'Der Browser kennt dieses Format nicht. Zu sehen ist die Vorschau.',
    en: 'The browser does not know this format. The preview is shown.',
  },
})
