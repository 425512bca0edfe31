/** The English texts of the API document, by the German text. A test reports missing translations. */
import { TOKEN_LIMITS } from '../accounts/token-limits.ts'
import { ownValue } from '../values/own-value.ts'

const ENGLISH_BY_GERMAN: Readonly<Record<string, string>> = {
  'Liefert eine Datei aus': 'Sends a file',
  'Darf Schrägstriche enthalten.': 'May contain slashes.',
  'Mit image/webp kommt die kleinere WebP-Fassung, wo es sie gibt.':
    'With image/webp the smaller WebP variant is sent, where there is one.',
  'Dieselbe ETag: 304 ohne Inhalt.': 'The same ETag: 304 without content.',
  'Ein einzelner Abschnitt: 206.': 'A single range: 206.',
  'Liefert die Vorschau einer Datei aus: ihr Pfad mit angehängtem .webp':
    'Sends the preview of a file: its path with .webp appended',
  'Liefert ein Bild oder das Vorschaubild eines Films in einer Größe aus BILDGROESSEN aus':
    'Sends a picture, or the preview frame of a film, in a size of BILDGROESSEN',
  'Die Dateien eines freigegebenen Ordners; mit Accept: text/html als Seite':
    'The files of a shared folder; with Accept: text/html as a page',
  'Ein freigegebener Ordner mit seinen Unterordnern als ZIP': 'A shared folder with its subfolders as a ZIP',
  'Ein Unterordner der Freigabe; leer: der ganze Ordner': 'A subfolder of the share; empty: the whole folder',
  'Ende des Links, Unix-Millisekunden; null: ohne Ende':
    'End of the link, Unix milliseconds; null: without an end',
  'Ob der Dienst Anfragen annimmt': 'Whether the service accepts requests',
  'Messwerte für Prometheus; vom selben Rechner aus oder mit METRICS_TOKEN':
    'Metrics for Prometheus; from the same machine or with METRICS_TOKEN',
  'Wie es dem Dienst geht; 503, wenn er gestört ist, mit „streng=1“ oder „streng=true“ auch, wenn er beeinträchtigt ist':
    'How the service is; 503 when it is disturbed, with streng=1 or streng=true also when it is impaired',
  'Diese Beschreibung, für Programme (OpenAPI 3.1)': 'This description, for programs (OpenAPI 3.1)',
  'Diese Beschreibung, für Menschen': 'This description, for people',
  'Eine Übersicht für Sprachmodelle (llmstxt.org)': 'An overview for language models (llmstxt.org)',
  'Speichert eine Datei: als Formular, als Base64-Text oder roh':
    'Stores a file: as a form, as Base64 text or raw',
  'Zielpfad, genau wie gesendet. Ohne ihn entsteht der Pfad aus dem SHA-256.':
    'Target path, exactly as sent. Without it the path is made from the SHA-256.',
  'Wenn der Inhalt Base64-Text ist.': 'When the content is Base64 text.',
  'false: ein belegter Pfad wird mit 409 abgelehnt statt überschrieben.':
    'false: a taken path is refused with 409 instead of overwritten.',
  'Medientyp; sonst entscheidet die Endung.': 'Media type; else the extension decides.',
  'Ohne If-None-Match: 304, wenn die Datei seitdem gleich blieb.':
    'Without If-None-Match: 304 if the file is unchanged since.',
  'Eine andere ETag: 412.': 'Another ETag: 412.',
  'Ohne If-Match: 412, wenn sich die Datei seitdem geändert hat.':
    'Without If-Match: 412 if the file has changed since.',
  'ETag oder Datum: der Abschnitt nur, wenn es noch stimmt.':
    'ETag or date: the range only if it still matches.',
  'Jeder andere Inhalt ist die Datei selbst.': 'Any other content is the file itself.',
  'sha-256 der Datei (RFC 9530); passt sie nicht, wird nichts gespeichert (400).':
    'sha-256 of the file (RFC 9530); if it does not match, nothing is stored (400).',
  'Dasselbe hexadezimal.': 'The same in hexadecimal.',
  'sha-256 des Inhalts wie gesendet (RFC 9530); gilt, wo er die Datei selbst ist.':
    'sha-256 of the body as sent (RFC 9530); compared where the body is the file itself.',
  'Base64, auch mit data:-Vorspann; dazu X-Encoding: base64.':
    'Base64, also with a data: prefix; with X-Encoding: base64.',
  'Nur wenn das Bild verkleinert wurde: Breite x Höhe vorher und nachher.':
    'Only when the picture was scaled down: width x height before and after.',
  'Beginnt einen fortsetzbaren Upload (tus 1.0.0), auf Wunsch mit dem ersten Stück':
    'Starts a resumable upload (tus 1.0.0), optionally with its first piece',
  'Die unfertigen Uploads: alle für Betreiber, sonst die eigenen':
    'The unfinished uploads: all of them for operators, otherwise one’s own',
  'Name des Tokens oder des Benutzerkontos': 'Name of the token or account',
  'Ob er von diesem Benutzerkonto ist und fortgesetzt werden kann':
    'Whether it belongs to this account and can be continued',
  'Änderungszeit der Datei beim Absender, wenn er sie nannte':
    'When the file was last changed at its sender, if it said so',
  'Wie weit ein Upload ist (HEAD)': 'How far an upload has come (HEAD)',
  'Das nächste Stück; nach dem letzten ist die Datei gespeichert':
    'The next piece; after the last one the file is stored',
  'Bricht einen Upload ab; eine gespeicherte Datei bleibt': 'Cancels an upload; a stored file stays',
  'Dasselbe, wo nur POST möglich ist': 'The same where only POST is possible',
  'Fassung des Protokolls; ohne sie 412.': 'Version of the protocol; 412 without it.',
  'Länge der Datei in Bytes, größer als 0.': 'Length of the file in bytes, above 0.',
  'Paare aus Namen und Base64: „pfad“, oder „filename“ mit „ordner“; „filetype“; „ueberschreiben“ (true, false).':
    'Pairs of name and Base64: pfad (path), or filename with ordner (folder); filetype; ueberschreiben (overwrite: true, false).',
  'Wie viele Bytes schon angekommen sind.': 'How many bytes have arrived so far.',
  'sha1 oder sha256 des Stücks, Base64; passt sie nicht, 460.':
    'sha1 or sha256 of the piece, Base64; 460 if it does not match.',
  'Die gemeinte Methode, wo der Weg nur POST erlaubt.': 'The intended method where only POST gets through.',
  'Dateien unter dem Präfix des Tokens, seitenweise; braucht das Recht dazu':
    'Files below the prefix of the token, page by page; needs the right to do so',
  'Ohne Angabe das Präfix des Tokens': 'The prefix of the token if omitted',
  'Steht über dem Feld, in das die Dateien kommen': 'Shown above the field for the files',
  'Größte Datei; sonst gilt MAX_UPLOAD_MB': 'Largest file; otherwise MAX_UPLOAD_MB applies',
  'Wie viele Dateien insgesamt; ohne Angabe 1000': 'Number of files in total; 1000 if omitted',
  'Die Links zum Abgeben von Dateien, der neueste zuerst': 'The drop links, the newest first',
  'Macht einen Link, mit dem man ohne Konto Dateien abgibt':
    'Makes a drop link, with which people hand in files without an account',
  'Beendet einen Link zum Abgeben; was abgegeben wurde, bleibt': 'Ends a drop link; what was handed in stays',
  'Die Seite, auf der man Dateien abgibt': 'The page on which files are handed in',
  'Gibt Dateien ab; jede wird für sich angenommen oder abgelehnt':
    'Hands in files; each is accepted or refused by itself',
  'Macht ein Ticket: eine Adresse, an die ein Programm ohne Token hochlädt':
    'Makes a ticket: an address to which a program uploads without a token',
  'Ganzer Zielpfad; ohne ihn entsteht ein Name unter „ordner“, oder X-Path nennt ihn.':
    'Whole target path; without it a name below “ordner” is generated, or X-Path names it.',
  'Ganzer Pfad eines Ordners; ohne ihn gilt das Präfix des Tokens.':
    'Whole path of a folder; without it the prefix of the token applies.',
  'Größte Datei.': 'Largest file.',
  'Sekunden; ohne Angabe 600.': 'Seconds; 600 if omitted.',
  'Wie viele Dateien; ohne Angabe eine.': 'Number of files; one if omitted.',
  'Ob ein belegter Pfad überschrieben wird; sonst 409.':
    'Whether a taken path is overwritten; otherwise 409.',
  'POST oder PUT dorthin lädt eine Datei hoch, ohne Token.':
    'POST or PUT to it uploads a file, without a token.',
  'Speichert eine Datei mit einem Ticket, in denselben Formen wie /api/upload':
    'Stores a file with a ticket, in the same forms as /api/upload',
  'Name unter dem Ordner des Tickets; ohne Bedeutung, wenn das Ticket einen Pfad hat.':
    'Name below the folder of the ticket; ignored if the ticket has a path.',
  'false: nicht überschreiben, auch wenn das Ticket es erlaubt.':
    'false: do not overwrite, even if the ticket allows it.',
  'Ob es eine Datei gibt': 'Whether there is a file',
  'Dasselbe in der älteren Form': 'The same in the older form',
  'Löscht eine Datei endgültig; braucht das Recht dazu': 'Deletes a file for good; needs the right to do so',
  'Speichert eine Datei der Art „bilder“': 'Stores a file of the kind “bilder” (pictures)',
  'Speichert eine Datei der Art „video“': 'Stores a file of the kind “video”',
  'Speichert eine Datei der Art „audio“': 'Stores a file of the kind “audio”',
  'Speichert eine Datei beliebiger Art': 'Stores a file of any kind',
  'Ordner unterhalb des Präfixes.': 'Folder below the prefix.',
  'Speichert eine Datei aus Base64-Text': 'Stores a file from Base64 text',
  'Löscht die id eines Hochladens; mit der letzten geht die Datei, endgültig':
    'Deletes the id of an upload; with the last one the file goes, for good',
  'Ob noch kein Benutzerkonto besteht, und wie man sich anmelden kann':
    'Whether there is no account yet, and how to sign in',
  'Meldet mit dem Code der App oder einem Notfallcode an, nach dem Passwort':
    'Signs in with a code of the app or an emergency code, after the password',
  'Die Angaben, mit denen ein Browser nach einem Passkey fragt':
    'The options with which a browser asks for a passkey',
  'Meldet mit einem Passkey an': 'Signs in with a passkey',
  'Leitet zum Anbieter weiter, um sich dort anzumelden': 'Redirects to the provider for signing in there',
  'Hierhin schickt der Anbieter den Browser zurück; meldet an':
    'Where the provider sends the browser back to; signs in',
  'Zeigt, was der Anbieter über einen angemeldeten Menschen sagt, und welche Regel gilt':
    'Shows what the provider says about somebody who has signed in, and which rule matches',
  'Beginnt die Einrichtung einer Authenticator-App': 'Begins to set up an authenticator app',
  'Bestätigt die App mit ihrem ersten Code; die Notfallcodes kommen nur hier':
    'Confirms the app with its first code; the emergency codes are answered only here',
  'Entfernt die Authenticator-App und die Notfallcodes':
    'Removes the authenticator app and the emergency codes',
  'Die eigenen Passkeys': 'The passkeys of the own account',
  'Die Angaben, mit denen ein Browser einen Passkey anlegt':
    'The options with which a browser creates a passkey',
  'Fügt einen Passkey hinzu': 'Adds a passkey',
  'Benennt einen Passkey um': 'Renames a passkey',
  'Entfernt einen Passkey': 'Removes a passkey',
  'Legt das erste Benutzerkonto an': 'Makes the first account',
  'Meldet an; mit zweitem Faktor folgt noch der Code': 'Signs in; with a second factor the code follows',
  'Beendet die Sitzung': 'Ends the session',
  'Wer angemeldet ist, mit welcher Rolle und bis wann, und was jede Seite vom Dienst braucht':
    'Who is signed in, with which role and until when, and what every page needs to know of the service',
  'Ändert das eigene Passwort': 'Changes your own password',
  'Die eigenen Sitzungen, die zuletzt benutzte zuerst': 'Your own sessions, the last used first',
  'Beendet alle eigenen Sitzungen bis auf diese': 'Ends all of your sessions but this one',
  'Die angehefteten Ordner und gespeicherten Filter des eigenen Kontos':
    'The pinned folders and saved filters of one’s own account',
  'Ersetzt die angehefteten Ordner und gespeicherten Filter des eigenen Kontos':
    'Replaces the pinned folders and saved filters of one’s own account',
  'Angaben der Dateiseite, wie in ihrer Adresse hinter dem Fragezeichen':
    'The fields of the files page as in its address, behind the question mark',
  'Beendet eine eigene Sitzung': 'Ends one of your sessions',
  'Die offenen Einladungen, die neueste zuerst': 'The open invitations, the newest first',
  'Lädt ein: Wer den Link öffnet, legt einmal ein Konto dieser Rolle an':
    'Invites: whoever opens the link makes an account of this role, once',
  'null entfernt App, Notfallcodes und Passkeys des Kontos':
    'null removes the app, the emergency codes and the passkeys of the account',
  'Widerruft eine Einladung': 'Revokes an invitation',
  'Nimmt eine Einladung an: legt das Konto an und meldet an':
    'Accepts an invitation: makes the account and signs in',
  'Die Benutzerkonten': 'The accounts',
  'Legt ein Benutzerkonto an': 'Makes an account',
  'Ändert Rolle, Ordner oder Passwort eines Benutzerkontos und beendet seine Sitzungen':
    'Changes role, folders or password of an account and ends its sessions',
  'Nur diese Ordner mit ihren Unterordnern; null: alle':
    'Only these folders with their subfolders; null: all',
  'Löscht ein Benutzerkonto': 'Deletes an account',
  'Liefert eine Datei aus wie /f/, ohne den Abruf zu zählen; solange FILES_HOST gesetzt ist: 404':
    'Sends a file like /f/ without counting the retrieval; while FILES_HOST is set: 404',
  'Liefert die Vorschau einer Datei aus wie /t/; solange FILES_HOST gesetzt ist: 404':
    'Sends the preview of a file like /t/; while FILES_HOST is set: 404',
  'Dateien eines Ordners, oder alle darunter, seitenweise':
    'Files of a folder, or all below it, page by page',
  'Leer: ganz oben': 'Empty: the top',
  'Wörter in beliebiger Reihenfolge, die alle im Pfad stehen, gleich ob groß oder klein; ü findet auch ue und u. Ein Wort mit * (beliebig viele Zeichen) oder ? (eines) muss von Anfang bis Ende eines Namens oder Ordners passen. Gesucht wird überall unterhalb von „ordner“; „ordner“ der Antwort sind dann Ordner, deren Name passt.':
    'Words in any order that all stand in the path, in any case; ü also finds ue and u. A word with * (any number of characters) or ? (one) must match a name or folder from beginning to end. The search goes everywhere below “ordner”; “ordner” of the answer are then folders whose name matches.',
  '1: auch, was in Unterordnern liegt': '1: also what lies in subfolders',
  'Eine Art, oder mehrere mit Komma: bilder,video': 'One kind, or several with commas: bilder,video',
  'Die Id eines Tokens, oder mehrere mit Komma': 'The id of a token, or several with commas',
  'Zuletzt geändert zu dieser Zeit oder später; Unix-Millisekunden':
    'Last changed at this time or later; Unix milliseconds',
  'Zuletzt geändert zu dieser Zeit oder früher': 'Last changed at this time or earlier',
  'Pixel; nur Dateien, deren Maße bekannt sind': 'Pixels; only files whose dimensions are known',
  'Breiter als hoch, höher als breit, oder gleich': 'Wider than high, higher than wide, or equal',
  '1: nur, was noch nie abgerufen wurde': '1: only what was never retrieved',
  'Seit dieser Zeit weder abgerufen noch gespeichert: eine Datei, die erst später kam, zählt nicht':
    'Neither retrieved nor stored since this time: a file that came only later does not count',
  'Wie „nicht_abgerufen_seit“, in Tagen vor jetzt': 'As “nicht_abgerufen_seit”, in days before now',
  'Eine Datei': 'One file',
  'Welche dieser Pfade schon belegt sind; vor dem Hochladen':
    'Which of these paths are taken; before an upload',
  'Der Baum aller Ordner, mit Zahl und Größe der Dateien darin und darunter':
    'The tree of all folders, with number and size of the files in and below them',
  'Vergleicht eine Liste von Namen mit den Dateien, auf die ein Muster passt':
    'Compares a list of names with the files that match a pattern',
  'Pfad mit * an der Stelle des Namens, etwa items/*.png; mehrere * stehen für denselben Namen':
    'Path with * in place of the name, such as items/*.png; several * stand for the same name',
  'Gibt einer Datei einen anderen Namen; ihre Adresse ändert sich':
    'Gives a file another name; its address changes',
  'Verschiebt Dateien in einen Ordner': 'Moves files into a folder',
  'Legt Dateien in den Papierkorb': 'Moves files to the trash',
  'Nummern im Papierkorb, in der Reihenfolge von „geloescht“; zum Wiederherstellen genau dieser Dateien':
    'Trash numbers, in the order of “geloescht”; for restoring exactly these files',
  'Suchen und Ersetzen über Pfade; ohne ausfuehren: true wird nur gerechnet und gezeigt':
    'Search and replace over paths; without ausfuehren: true it only computes and shows',
  'Nur Dateien darunter; leer: alle': 'Only files below it; empty: all',
  'Nur diese Dateien, etwa eine Auswahl; was nicht da ist, wird übergangen':
    'Only these files, such as a selection; what is not there is passed over',
  '„suche“ ist ein regulärer Ausdruck (RE2); im Ersatz stehen $1, $2 … und $& für das Gefundene':
    '“suche” is a regular expression (RE2); in the replacement $1, $2 … and $& stand for what was found',
  'Ohne true wird nur gerechnet und gezeigt': 'Without true it only computes and shows',
  'Gibt einem Ordner einen anderen Namen; die Adressen aller Dateien darin ändern sich':
    'Gives a folder another name; the addresses of all files in it change',
  'Verschiebt einen Ordner in einen anderen; gibt es ihn dort schon, werden beide vereint':
    'Moves a folder into another; if there is one of that name, both are united',
  'Der Ordner, in den er kommt; leer: ganz oben': 'The folder into which it goes; empty: the top',
  'Legt alle Dateien eines Ordners in den Papierkorb': 'Moves all files of a folder to the trash',
  'Nummern im Papierkorb, ohne bestimmte Reihenfolge; zum Wiederherstellen genau dieser Dateien':
    'Trash numbers, in no particular order; for restoring exactly these files',
  'Gibt den Dateien, die eine Aktion umbenannt oder verschoben hat, ihre früheren Pfade zurück, und holt zurück, was eine Frist oder das Aufräumen gleicher Dateien in den Papierkorb legte; mit „Accept: application/x-ndjson“ zählen Zeilen JSON mit':
    'Gives the files that an action has renamed or moved their earlier paths back, and restores what a retention rule or the removal of equal files moved to the trash; with “Accept: application/x-ndjson” lines of JSON count along',
  'Die Aufbewahrungsfristen der Ordner': 'The retention rules of the folders',
  'Ersetzt alle Aufbewahrungsfristen; sie gelten ab dem nächsten Lauf':
    'Replaces all retention rules; they hold from the next run on',
  'Was mit diesen Fristen jetzt in den Papierkorb ginge; ändert nichts':
    'What these rules would move to the trash now; changes nothing',
  'Legt jetzt in den Papierkorb, wessen Frist abgelaufen ist; sonst geschieht das täglich':
    'Moves files at the end of their retention period to the trash now instead of at the daily run',
  'Wann der nächste Lauf ist, und wann jede Frist zum ersten Mal etwas findet':
    'When the next run is, and which run is the first to find something by each rule',
  'Welche Frist für eine Datei gilt und wann sie endet':
    'Which rule holds for a file, and when the file ends',
  'Dateien hochladen; ZIP-Archive werden entpackt': 'Uploads files; ZIP archives are unpacked',
  'Zielordner; leer: ganz oben': 'Target folder; empty: the top',
  '„true“: ungültige Namen in ZIP-Archiven werden angepasst (ä zu ae, Leerzeichen zu -), nicht abgelehnt.':
    '“true”: invalid names in ZIP archives are adjusted (ä to ae, blanks to -), not refused.',
  'JSON-Liste: zu jeder Datei, in der Reihenfolge der Felder „file“, ihr Pfad unterhalb von „ordner“ mit Dateinamen. Wo er leer ist oder die Liste fehlt, gilt der Dateiname des Formularteils; auch er darf Ordner enthalten.':
    'JSON list: for each file, in the order of the fields “file”, its path below “ordner” with its name. Where it is empty or the list is missing, the file name of the form part counts; it too may contain folders.',
  'Jede Datei wird für sich beurteilt. Eine .zip-Datei wird in ihrem Ordner entpackt, nicht gespeichert. Ist sie beschädigt (400) oder zu groß (413; höchstens 5000 Einträge und 256 MB entpackt), so gilt dieser Status der Anfrage, wenn sie die einzige Datei ist; sonst steht sie unter „abgelehnt“.':
    'Each file is judged by itself. A .zip file is unpacked in its folder, not stored. If it is damaged (400) or too large (413; at most 5000 entries and 256 MB unpacked), this is the status of the request when it is the only file; otherwise it is in “abgelehnt”.',
  'Eine Datei von einer öffentlichen Adresse holen': 'Fetches a file from a public address',
  'Dateiname; ohne ihn einer, den die Quelle nahelegt': 'File name; without it one that the source suggests',
  'Die Zahlen der Startseite': 'The figures of the first page',
  'Abrufe und Speicher der letzten 90 Tage, von allem oder von einem Ordner':
    'Retrievals and space of the last 90 days, of everything or of one folder',
  'Nur was darunter liegt; leer: alles': 'Only what lies below it; empty: everything',
  'Abrufe einer Datei an jedem der letzten 90 Tage, auch unter ihren früheren Namen':
    'Retrievals of a file on each of the last 90 days, also under its earlier names',
  'Was gerade geschieht, als Server-Sent Events: je Ereignis sein Name und JSON':
    'What happens now, as server-sent events: for each event its name and JSON',
  'Was im Papierkorb liegt, das zuletzt Gelöschte zuerst': 'What lies in the trash, the last deleted first',
  'Die Vorschau einer Datei im Papierkorb': 'The preview of a file in the trash',
  'Nur die früheren Fassungen dieses Pfads': 'Only the earlier versions of this path',
  'Nur was aus diesem Grund im Papierkorb liegt': 'Only what is in the trash for this reason',
  'Eine Datei aus dem Papierkorb zum Herunterladen, ohne sie wiederherzustellen':
    'A file of the trash as a download, without restoring it',
  'Stellt Dateien unter ihrem alten Pfad wieder her; ein belegter Pfad wird nur mit „ersetzen“ überschrieben':
    'Restores files under their old path; a taken path is overwritten only with “ersetzen”',
  'Eine Datei, die jetzt an einem der Pfade liegt, kommt dafür in den Papierkorb':
    'A file that is at one of the paths now goes to the trash in exchange',
  'Entfernt Dateien endgültig: die genannten, oder ohne „nummern“ alle':
    'Removes files for good: those named, or without “nummern” all',
  'Die Freigaben, die neueste zuerst': 'The share links, the newest first',
  'Gibt die Liste eines Ordners frei': 'Shares the list of a folder',
  'Ändert das Ende einer Freigabe': 'Changes the end of a share link',
  'Widerruft eine Freigabe; die Dateien bleiben öffentlich': 'Withdraws a share link; the files stay public',
  'Alle Dateien, oder die eines Ordners, als JSON, CSV oder Lua-Tabelle (Name → Adresse)':
    'All files, or those of a folder, as JSON, CSV or a Lua table (name → address)',
  'Nur dieser Ordner mit seinen Unterordnern; leer: alles':
    'Only this folder with its subfolders; empty: everything',
  'Ein Ordner mit seinen Unterordnern als ZIP; höchstens 100000 Dateien':
    'A folder with its subfolders as a ZIP; at most 100000 files',
  'Der Ordner mit seinen Unterordnern; leer: alles': 'The folder with its subfolders; empty: everything',
  'Ausgewählte Dateien als ZIP': 'Selected files as a ZIP',
  'JSON-Liste der Pfade': 'JSON list of the paths',
  'Was mit Dateien geschah, das Neueste zuerst': 'What happened to files, the newest first',
  'Nur was diese Aktion getan hat': 'Only what this action did',
  'Anfragen mit derselben Kennung sind im Verlauf ein Eintrag. Ohne sie sind es die Dateien einer Anfrage.':
    'Requests with the same id are one entry in the history. Without it, the files of one request are.',
  '1: Was eine Aktion mit vielen Dateien tat, ist ein Eintrag mit „aktion“ und „dateien“. Mit „pfad“ oder „aktion“ bleibt jede Datei ein Eintrag.':
    '1: What an action did to many files is one entry with “aktion” and “dateien”. With “pfad” or “aktion” each file stays an entry.',
  'Was mit einer Datei geschah, auch unter ihren früheren Namen; höchstens 200 Einträge':
    'What happened to a file, also under its earlier names; at most 200 entries',
  'Wer wann welche Einstellung, welches Token und welches Konto geändert hat':
    'Who has changed which setting, which token and which account, and when',
  'Der Verlauf als CSV, höchstens 20.000 Zeilen; was=verwaltung wählt den der Verwaltung':
    'The history as CSV, at most 20 000 rows; was=verwaltung selects that of the administration',
  'Die Einstellungen, mit der Herkunft ihrer Werte': 'The settings, with where their values come from',
  'Speichert Einstellungen; was fehlt, bleibt, und ein leerer Wert gilt als nicht gespeichert':
    'Saves settings; what is missing stays, and an empty value counts as not saved',
  'Alle Einstellungen als Datei; Geheimnisse nur mit geheim=1':
    'All settings as a file; secrets only with geheim=1',
  'Übernimmt exportierte Einstellungen; leere Werte überschreiben nichts':
    'Takes over exported settings; empty values overwrite nothing',
  'Schickt eine Testnachricht an die gespeicherte Adresse und zeigt, was die Gegenstelle antwortet':
    'Sends a test message to the saved address and shows what the other side answers',
  'Die Tokens, mit dem, was sie belegen': 'The tokens, with what they hold',
  'Macht ein Token; der Schlüssel steht nur in dieser Antwort':
    'Makes a token; the key is in this answer only',
  'Ändert ein Token; was fehlt, bleibt, und null hebt eine Grenze auf':
    'Changes a token; what is missing stays, and null clears a limit',
  'Widerruft ein Token; seine Dateien bleiben': 'Withdraws a token; its files stay',
  'Eine fertige Datei für ShareX, ohne den Schlüssel': 'A ready file for ShareX, without the key',
  'Macht fehlende Vorschauen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist':
    'Makes missing previews, at most 300 per call; call again until “fertig” is true',
  'Macht fehlende WebP-Fassungen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist':
    'Makes missing WebP variants, at most 300 per call; call again until “fertig” is true',
  'Dateien mit gleichem Inhalt, nach dem Platz, der frei würde': 'Equal files, by the space that they waste',
  'Behält je eine Datei und legt alle anderen mit gleichem Inhalt in den Papierkorb':
    'Keeps one file of each content and moves all others with the same content to the trash',
  'Wie viele Dateien diesen Inhalt haben': 'How many files have this content',
  'Was frei wird, wenn nur eine bleibt': 'What is freed if only one stays',
  'Die meistabgerufenen, bei gleicher Zahl die ältesten zuerst; höchstens 12':
    'The most viewed first, the oldest first for the same number; at most 12',
  'Dateien aller Gruppen, ohne je eine': 'Files of all groups, without one of each',
  'Was in allen Gruppen frei wird': 'What is freed in all groups',
  'Der Pfad der Datei, die bleibt': 'The path of the file that stays',
  'Wie viele die Gruppe zeigte; sind es inzwischen andere, geschieht nichts (409)':
    'How many the group showed; if there are more or fewer by now, nothing happens (409)',
  'Objekte ohne Eintrag und Einträge ohne Datei; „aufraeumen“ entfernt, was keinen Eintrag hat':
    'Objects without an entry and entries without a file; “aufraeumen” removes what has no entry',
  'Wie weit die Prüfung aller Dateien ist, und was sie gefunden hat':
    'How far the check of all files is, and what it has found',
  'Liest alle Dateien jetzt; den Stand zeigen GET und die Ereignisse „fortschritt“':
    'Reads all files now; GET and the events “fortschritt” show how far it is',
  'Ein Archiv der Sicherung mit dem Inhalt aller Dateien':
    'An archive of the backup with the contents of all files',
  'Die Prüfsumme eines heruntergeladenen Archivs der Sicherung; es wird dafür ganz gelesen':
    'The checksum of an archive of the backup; the whole archive is read for it',
  'Ob eine Sicherung läuft, wie weit sie ist, was die letzte ergab, und welche Archive da sind':
    'Whether a backup is running, how far it is, how the last one ended, and which archives there are',
  'Startet eine Sicherung, oder schließt sich der laufenden an: 202 mit dem Stand, mit warten=1 am Ende 200 mit dem Bericht':
    'Starts a backup, or joins the running one: 202 with its state, with warten=1 at the end 200 with the report',
  'Wann, womit und wo ein Bild aufgenommen wurde, soweit es das selbst sagt (EXIF)':
    'When, with what and where a picture was taken, as far as it says so itself (EXIF)',
  'Uhr der Kamera, ohne Zeitzone: 2024-05-06T07:08:09':
    'The clock of the camera, without a time zone: 2024-05-06T07:08:09',
  'Verschiebt Dateien in einen Ordner; mit „Accept: application/x-ndjson“ und „treffer“ kommt die Antwort in Teilen, eine Zeile JSON je Schritt':
    'Moves files into a folder; with “Accept: application/x-ndjson” and “treffer” the answer comes in parts, one line of JSON for each step',
  'Statt „pfade“: alles, was eine Liste mit diesen Angaben zeigt':
    'Instead of “pfade”: everything that a list with these parameters shows',
  'Wie viele Dateien die Liste zeigte; sind es inzwischen mehr oder weniger, geschieht nichts (409)':
    'How many files the list showed; when there are more or fewer by now, nothing happens (409)',
  'Legt Dateien in den Papierkorb; mit „Accept: application/x-ndjson“ und „treffer“ kommt die Antwort in Teilen, eine Zeile JSON je Schritt':
    'Puts files into the trash; with “Accept: application/x-ndjson” and “treffer” the answer comes in parts, one line of JSON for each step',
  'Nur, was eine Liste mit diesen Angaben zeigt': 'Only what a list with these parameters shows',
  'Ausgewählte Dateien, oder alles, was eine Liste zeigt, als JSON, CSV oder Lua-Tabelle':
    'Selected files, or everything that a list shows, as JSON, CSV or a Lua table',
  'Statt „pfade“: JSON-Objekt mit ordner, suche, unterordner und den Filtern wie beim Auflisten':
    'Instead of “pfade”: a JSON object with ordner, suche, unterordner and the filters as in a listing',
  'Ausgewählte Dateien, oder alles, was eine Liste zeigt, als ZIP':
    'Selected files, or everything that a list shows, as a ZIP',
  'Dateien lesen': 'Reading files',
  Öffentlich: 'Public',
  'Mit Token': 'With a token',
  'Mit Ticket': 'With a ticket',
  Kompatibilität: 'Compatibility',
  'Dashboard: Anmeldung': 'Dashboard: session',
  'Dashboard: Weiteres': 'Dashboard: more',
  'Dashboard: Dateien': 'Dashboard: files',
  'Dashboard: Verlauf': 'Dashboard: history',
  'Dashboard: Betrieb': 'Dashboard: running it',
  'Dashboard: Papierkorb': 'Dashboard: trash',
  'Dashboard: Freigaben': 'Dashboard: share links',
  'Dashboard: Einstellungen': 'Dashboard: settings',
  'Dashboard: Tokens': 'Dashboard: tokens',
  'Ein eigener Medienhost: eine Datei liegt unter dem Pfad, den ihr Absender gewählt hat, und ist dort öffentlich lesbar. Größen sind Bytes, Zeiten Millisekunden seit 1970 (UTC).':
    'A media host of your own: a file lies under the path its sender chose and is publicly readable there. Sizes are bytes, times milliseconds since 1970 (UTC). Words on the wire are German.',
  ...Object.fromEntries(
    TOKEN_LIMITS.flatMap(({ description }) => (description ? [[description.de, description.en]] : [])),
  ),
}

/** A text without a translation stays German. */
export const translateToEnglish = (german: string): string => ownValue(ENGLISH_BY_GERMAN, german) ?? german
