/** What a visitor reads when there is no dashboard to show. */
export const WEB_WORDS = {
  notBuilt:
    'Die Seiten der Verwaltung sind nicht gebaut. Der Dienst selbst läuft: Dateien und Schnittstelle sind erreichbar. ' +
    'Bitte „npm run build“ ausführen und den Dienst neu starten; warum es beim Start misslang, steht im Protokoll.\n',
} as const
