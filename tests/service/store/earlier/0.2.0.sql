BEGIN TRANSACTION;
CREATE TABLE account (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  number VARCHAR(7) NOT NULL,
  padded_number INTEGER NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  name_translations TEXT NOT NULL,
  header_id INTEGER,
  description VARCHAR(8192),
  type VARCHAR(16) NOT NULL,
  default_vat_code INTEGER NOT NULL,
  default_vat_rate_label VARCHAR(16) NOT NULL,
  opening_cents BIGINT NOT NULL,
  is_shown BOOLEAN NOT NULL,
  CONSTRAINT uq_account_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_account_opening_cents_integer CHECK (typeof(opening_cents) = 'integer'),
  CONSTRAINT fk_account_business_id_header_id FOREIGN KEY(business_id, header_id) REFERENCES header (business_id, id),
  CONSTRAINT uq_account_business_id_number UNIQUE (business_id, number),
  CONSTRAINT fk_account_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "account" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1160',1160000,'Machinery and equipment','machinery and equipment','[{"key":"fi","value":"Koneet ja kalusto"},{"key":"sv","value":"Maskiner och inventarier"},{"key":"en","value":"Machinery and equipment"},{"key":"de","value":"Maschinen und Anlagen"}]',NULL,NULL,'ASS_DEP',2,'standard',0,1);
INSERT INTO "account" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1500',1500000,'Inventory','inventory','[{"key":"fi","value":"Vaihto-omaisuus"},{"key":"sv","value":"Omsättningstillgångar"},{"key":"en","value":"Inventory"},{"key":"de","value":"Vorräte"}]',NULL,NULL,'ASS',3,'zero',0,1);
INSERT INTO "account" VALUES(3,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1700',1700000,'Trade receivables','trade receivables','[{"key":"fi","value":"Myyntisaamiset"},{"key":"sv","value":"Kundfordringar"},{"key":"en","value":"Trade receivables"},{"key":"de","value":"Forderungen aus Lieferungen und Leistungen"}]',NULL,NULL,'ASS_DUE',3,'zero',0,1);
INSERT INTO "account" VALUES(4,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1763',1763000,'VAT receivables','vat receivables','[{"key":"fi","value":"Arvonlisäverosaamiset"},{"key":"sv","value":"Momsfordringar"},{"key":"en","value":"VAT receivables"},{"key":"de","value":"Vorsteuer"}]',NULL,NULL,'ASS_VAT',3,'zero',0,1);
INSERT INTO "account" VALUES(5,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1800',1800000,'Accrued income','accrued income','[{"key":"fi","value":"Siirtosaamiset"},{"key":"sv","value":"Resultatregleringar"},{"key":"en","value":"Accrued income"},{"key":"de","value":"Aktive Rechnungsabgrenzung"}]',NULL,NULL,'ASS_REC',3,'zero',0,1);
INSERT INTO "account" VALUES(6,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1850',1850000,'Income tax receivable','income tax receivable','[{"key":"fi","value":"Tuloverosaamiset"},{"key":"sv","value":"Inkomstskattefordringar"},{"key":"en","value":"Income tax receivable"},{"key":"de","value":"Ertragsteuerforderungen"}]',NULL,NULL,'ASS_REC',3,'zero',0,1);
INSERT INTO "account" VALUES(7,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1900',1900000,'Cash','cash','[{"key":"fi","value":"Käteisvarat"},{"key":"sv","value":"Kassa"},{"key":"en","value":"Cash"},{"key":"de","value":"Kasse"}]',NULL,NULL,'ASS_PAY',3,'zero',0,1);
INSERT INTO "account" VALUES(8,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1910',1910000,'Bank account','bank account','[{"key":"fi","value":"Pankkitili"},{"key":"sv","value":"Bankkonto"},{"key":"en","value":"Bank account"},{"key":"de","value":"Bankkonto"}]',NULL,NULL,'ASS_PAY',3,'zero',0,1);
INSERT INTO "account" VALUES(9,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'1920',1920000,'Second bank account','second bank account','[{"key":"fi","value":"Toinen pankkitili"},{"key":"sv","value":"Andra bankkonto"},{"key":"en","value":"Second bank account"},{"key":"de","value":"Zweites Bankkonto"}]',NULL,NULL,'ASS_PAY',3,'zero',0,1);
INSERT INTO "account" VALUES(10,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2000',2000000,'Share capital','share capital','[{"key":"fi","value":"Osakepääoma"},{"key":"sv","value":"Aktiekapital"},{"key":"en","value":"Share capital"},{"key":"de","value":"Stammkapital"}]',NULL,NULL,'LIA_EQU',3,'zero',0,1);
INSERT INTO "account" VALUES(11,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2251',2251000,'Profit of previous periods','profit of previous periods','[{"key":"fi","value":"Edellisten tilikausien voitto"},{"key":"sv","value":"Vinst från tidigare räkenskapsperioder"},{"key":"en","value":"Profit of previous periods"},{"key":"de","value":"Gewinnvortrag aus Vorjahren"}]',NULL,NULL,'LIA_PRE',3,'zero',0,1);
INSERT INTO "account" VALUES(12,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2370',2370000,'Owner loans','owner loans','[{"key":"fi","value":"Lainat omistajilta"},{"key":"sv","value":"Lån från ägare"},{"key":"en","value":"Owner loans"},{"key":"de","value":"Gesellschafterdarlehen"}]',NULL,NULL,'LIA_DEB',3,'zero',0,1);
INSERT INTO "account" VALUES(13,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2620',2620000,'Bank loans','bank loans','[{"key":"fi","value":"Lainat rahoituslaitoksilta"},{"key":"sv","value":"Lån från finansinstitut"},{"key":"en","value":"Bank loans"},{"key":"de","value":"Bankdarlehen"}]',NULL,NULL,'LIA_DEB',3,'zero',0,1);
INSERT INTO "account" VALUES(14,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2871',2871000,'Trade payables','trade payables','[{"key":"fi","value":"Ostovelat"},{"key":"sv","value":"Leverantörsskulder"},{"key":"en","value":"Trade payables"},{"key":"de","value":"Verbindlichkeiten aus Lieferungen und Leistungen"}]',NULL,NULL,'LIA_DUE',3,'zero',0,1);
INSERT INTO "account" VALUES(15,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2939',2939000,'VAT liability','vat liability','[{"key":"fi","value":"Arvonlisäverovelka"},{"key":"sv","value":"Momsskuld"},{"key":"en","value":"VAT liability"},{"key":"de","value":"Umsatzsteuer"}]',NULL,NULL,'LIA_VAT',3,'zero',0,1);
INSERT INTO "account" VALUES(16,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2945',2945000,'VAT accrual adjustment','vat accrual adjustment','[{"key":"fi","value":"Arvonlisäveron jaksotus"},{"key":"sv","value":"Periodisering av moms"},{"key":"en","value":"VAT accrual adjustment"},{"key":"de","value":"Umsatzsteuerabgrenzung"}]',NULL,NULL,'LIA_ACC',3,'zero',0,1);
INSERT INTO "account" VALUES(17,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2950',2950000,'Tax deferrals','tax deferrals','[{"key":"fi","value":"Verojaksotukset"},{"key":"sv","value":"Skatteperiodiseringar"},{"key":"en","value":"Tax deferrals"},{"key":"de","value":"Steuerabgrenzung"}]',NULL,NULL,'LIA_ACC',3,'zero',0,1);
INSERT INTO "account" VALUES(18,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2960',2960000,'Accrued expenses','accrued expenses','[{"key":"fi","value":"Siirtovelat"},{"key":"sv","value":"Upplupna kostnader"},{"key":"en","value":"Accrued expenses"},{"key":"de","value":"Passive Rechnungsabgrenzung"}]',NULL,NULL,'LIA_ACC',3,'zero',0,1);
INSERT INTO "account" VALUES(19,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2970',2970000,'Income tax liability','income tax liability','[{"key":"fi","value":"Tuloverovelka"},{"key":"sv","value":"Inkomstskatteskuld"},{"key":"en","value":"Income tax liability"},{"key":"de","value":"Ertragsteuerverbindlichkeiten"}]',NULL,NULL,'LIA_ACC',3,'zero',0,1);
INSERT INTO "account" VALUES(20,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3000',3000000,'Sales, standard rate','sales, standard rate','[{"key":"fi","value":"Myynti, yleinen verokanta"},{"key":"sv","value":"Försäljning, allmän skattesats"},{"key":"en","value":"Sales, standard rate"},{"key":"de","value":"Umsatzerlöse, Regelsteuersatz"}]',NULL,NULL,'REV_SAL',1,'standard',0,1);
INSERT INTO "account" VALUES(21,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3100',3100000,'Sales, reduced rate','sales, reduced rate','[{"key":"fi","value":"Myynti, alennettu verokanta"},{"key":"sv","value":"Försäljning, reducerad skattesats"},{"key":"en","value":"Sales, reduced rate"},{"key":"de","value":"Umsatzerlöse, ermäßigter Steuersatz"}]',NULL,NULL,'REV_SAL',1,'reduced_a',0,1);
INSERT INTO "account" VALUES(22,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3200',3200000,'Zero-rated sales','zero-rated sales','[{"key":"fi","value":"Nollaverokannan myynti"},{"key":"sv","value":"Försäljning, nollskattesats"},{"key":"en","value":"Zero-rated sales"},{"key":"de","value":"Umsatzerlöse zum Nullsteuersatz"}]',NULL,NULL,'REV_SAL',4,'zero',0,1);
INSERT INTO "account" VALUES(23,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3370',3370000,'EU goods sales','eu goods sales','[{"key":"fi","value":"EU-tavaramyynti"},{"key":"sv","value":"Varuförsäljning till EU"},{"key":"en","value":"EU goods sales"},{"key":"de","value":"Innergemeinschaftliche Lieferungen"}]',NULL,NULL,'REV_SAL',5,'zero',0,1);
INSERT INTO "account" VALUES(24,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3380',3380000,'EU service sales','eu service sales','[{"key":"fi","value":"EU-palvelumyynti"},{"key":"sv","value":"Försäljning av tjänster till EU"},{"key":"en","value":"EU service sales"},{"key":"de","value":"Innergemeinschaftliche sonstige Leistungen"}]',NULL,NULL,'REV_SAL',6,'zero',0,1);
INSERT INTO "account" VALUES(25,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3390',3390000,'Sales outside the EU','sales outside the eu','[{"key":"fi","value":"Myynti EU:n ulkopuolelle"},{"key":"sv","value":"Försäljning utanför EU"},{"key":"en","value":"Sales outside the EU"},{"key":"de","value":"Umsatzerlöse Drittland"}]',NULL,NULL,'REV_SAL',12,'zero',0,1);
INSERT INTO "account" VALUES(26,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3900',3900000,'Other income','other income','[{"key":"fi","value":"Liiketoiminnan muut tuotot"},{"key":"sv","value":"Övriga rörelseintäkter"},{"key":"en","value":"Other income"},{"key":"de","value":"Sonstige betriebliche Erträge"}]',NULL,NULL,'REV',3,'zero',0,1);
INSERT INTO "account" VALUES(27,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'3990',3990000,'Tax-free income','tax-free income','[{"key":"fi","value":"Verovapaat tuotot"},{"key":"sv","value":"Skattefria intäkter"},{"key":"en","value":"Tax-free income"},{"key":"de","value":"Steuerfreie Erträge"}]',NULL,NULL,'REV_NO',3,'zero',0,1);
INSERT INTO "account" VALUES(28,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'4000',4000000,'Purchases','purchases','[{"key":"fi","value":"Ostot"},{"key":"sv","value":"Inköp"},{"key":"en","value":"Purchases"},{"key":"de","value":"Wareneinkauf"}]',NULL,NULL,'EXP',2,'standard',0,1);
INSERT INTO "account" VALUES(29,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'4380',4380000,'EU goods purchases','eu goods purchases','[{"key":"fi","value":"EU-tavaraostot"},{"key":"sv","value":"Varuinköp från EU"},{"key":"en","value":"EU goods purchases"},{"key":"de","value":"Innergemeinschaftlicher Erwerb"}]',NULL,NULL,'EXP',7,'standard',0,1);
INSERT INTO "account" VALUES(30,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'4450',4450000,'EU service purchases','eu service purchases','[{"key":"fi","value":"EU-palveluostot"},{"key":"sv","value":"Inköp av tjänster från EU"},{"key":"en","value":"EU service purchases"},{"key":"de","value":"Sonstige Leistungen aus der EU"}]',NULL,NULL,'EXP',8,'standard',0,1);
INSERT INTO "account" VALUES(31,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'4470',4470000,'Services from outside the EU','services from outside the eu','[{"key":"fi","value":"Palveluostot EU:n ulkopuolelta"},{"key":"sv","value":"Inköp av tjänster utanför EU"},{"key":"en","value":"Services from outside the EU"},{"key":"de","value":"Sonstige Leistungen aus Drittländern"}]',NULL,NULL,'EXP',14,'standard',0,1);
INSERT INTO "account" VALUES(32,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'5000',5000000,'Wages','wages','[{"key":"fi","value":"Palkat"},{"key":"sv","value":"Löner"},{"key":"en","value":"Wages"},{"key":"de","value":"Löhne und Gehälter"}]',NULL,NULL,'EXP',3,'zero',0,1);
INSERT INTO "account" VALUES(33,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'6800',6800000,'Depreciation','depreciation','[{"key":"fi","value":"Suunnitelman mukaiset poistot"},{"key":"sv","value":"Avskrivningar enligt plan"},{"key":"en","value":"Depreciation"},{"key":"de","value":"Abschreibungen"}]',NULL,NULL,'EXP_DEP',3,'zero',0,1);
INSERT INTO "account" VALUES(34,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'7160',7160000,'Rent','rent','[{"key":"fi","value":"Vuokrat"},{"key":"sv","value":"Hyror"},{"key":"en","value":"Rent"},{"key":"de","value":"Miete"}]',NULL,NULL,'EXP',2,'standard',0,1);
INSERT INTO "account" VALUES(35,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'7680',7680000,'Software and IT','software and it','[{"key":"fi","value":"Ohjelmistot ja IT"},{"key":"sv","value":"Programvara och IT"},{"key":"en","value":"Software and IT"},{"key":"de","value":"Software und IT"}]',NULL,NULL,'EXP',2,'standard',0,1);
INSERT INTO "account" VALUES(36,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'7800',7800000,'Travel','travel','[{"key":"fi","value":"Matkakulut"},{"key":"sv","value":"Resekostnader"},{"key":"en","value":"Travel"},{"key":"de","value":"Reisekosten"}]',NULL,NULL,'EXP',2,'reduced_a',0,1);
INSERT INTO "account" VALUES(37,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'7950',7950000,'Entertainment','entertainment','[{"key":"fi","value":"Edustuskulut"},{"key":"sv","value":"Representationskostnader"},{"key":"en","value":"Entertainment"},{"key":"de","value":"Bewirtungskosten"}]',NULL,NULL,'EXP_50',3,'zero',0,1);
INSERT INTO "account" VALUES(38,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'8500',8500000,'Bank and payment fees','bank and payment fees','[{"key":"fi","value":"Pankki- ja maksupalvelukulut"},{"key":"sv","value":"Bank- och betalningsavgifter"},{"key":"en","value":"Bank and payment fees"},{"key":"de","value":"Kosten des Geldverkehrs"}]',NULL,NULL,'EXP',3,'zero',0,1);
INSERT INTO "account" VALUES(39,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'8600',8600000,'Bad debts','bad debts','[{"key":"fi","value":"Luottotappiot"},{"key":"sv","value":"Kreditförluster"},{"key":"en","value":"Bad debts"},{"key":"de","value":"Forderungsverluste"}]',NULL,NULL,'EXP',3,'zero',0,1);
INSERT INTO "account" VALUES(40,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'8700',8700000,'Non-deductible expenses','non-deductible expenses','[{"key":"fi","value":"Vähennyskelvottomat kulut"},{"key":"sv","value":"Icke avdragsgilla kostnader"},{"key":"en","value":"Non-deductible expenses"},{"key":"de","value":"Nicht abziehbare Betriebsausgaben"}]',NULL,NULL,'EXP_NO',3,'zero',0,1);
INSERT INTO "account" VALUES(41,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'9900',9900000,'Income taxes','income taxes','[{"key":"fi","value":"Tuloverot"},{"key":"sv","value":"Inkomstskatter"},{"key":"en","value":"Income taxes"},{"key":"de","value":"Ertragsteuern"}]',NULL,NULL,'EXP_TAX',3,'zero',0,1);
INSERT INTO "account" VALUES(42,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'9910',9910000,'Prepaid taxes','prepaid taxes','[{"key":"fi","value":"Ennakkoverot"},{"key":"sv","value":"Förskottsskatter"},{"key":"en","value":"Prepaid taxes"},{"key":"de","value":"Steuervorauszahlungen"}]',NULL,NULL,'EXP_TAX_PRE',3,'zero',0,1);
INSERT INTO "account" VALUES(43,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'9980',9980000,'Broadcasting tax','broadcasting tax','[{"key":"fi","value":"Yleisradiovero"},{"key":"sv","value":"Rundradioskatt"},{"key":"en","value":"Broadcasting tax"},{"key":"de","value":"Rundfunkabgabe"}]',NULL,NULL,'EXP_TAX',3,'zero',0,1);
CREATE TABLE account_month (
  business_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  debit_cents BIGINT NOT NULL,
  credit_cents BIGINT NOT NULL,
  CONSTRAINT pk_account_month PRIMARY KEY (business_id, account_id, month),
  CONSTRAINT ck_account_month_debit_cents_integer CHECK (typeof(debit_cents) = 'integer'),
  CONSTRAINT ck_account_month_debit_cents_range CHECK (debit_cents >= 0),
  CONSTRAINT ck_account_month_credit_cents_integer CHECK (typeof(credit_cents) = 'integer'),
  CONSTRAINT ck_account_month_credit_cents_range CHECK (credit_cents >= 0),
  CONSTRAINT fk_account_month_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_account_month_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "account_month" VALUES(1,8,'2026-01',12550,0);
INSERT INTO "account_month" VALUES(1,15,'2026-01',0,2550);
INSERT INTO "account_month" VALUES(1,20,'2026-01',0,10000);
INSERT INTO "account_month" VALUES(1,4,'2026-02',1275,0);
INSERT INTO "account_month" VALUES(1,8,'2026-02',0,6275);
INSERT INTO "account_month" VALUES(1,34,'2026-02',5000,0);
INSERT INTO "account_month" VALUES(1,8,'2026-03',8000,0);
INSERT INTO "account_month" VALUES(1,23,'2026-03',0,8000);
INSERT INTO "account_month" VALUES(1,3,'2026-04',25100,0);
INSERT INTO "account_month" VALUES(1,15,'2026-04',0,5100);
INSERT INTO "account_month" VALUES(1,20,'2026-04',0,20000);
CREATE TABLE account_total (
  business_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  debit_cents BIGINT NOT NULL,
  credit_cents BIGINT NOT NULL,
  entry_count BIGINT NOT NULL,
  CONSTRAINT pk_account_total PRIMARY KEY (business_id, account_id),
  CONSTRAINT ck_account_total_debit_cents_integer CHECK (typeof(debit_cents) = 'integer'),
  CONSTRAINT ck_account_total_debit_cents_range CHECK (debit_cents >= 0),
  CONSTRAINT ck_account_total_credit_cents_integer CHECK (typeof(credit_cents) = 'integer'),
  CONSTRAINT ck_account_total_credit_cents_range CHECK (credit_cents >= 0),
  CONSTRAINT fk_account_total_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_account_total_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "account_total" VALUES(1,8,20550,6275,3);
INSERT INTO "account_total" VALUES(1,15,0,7650,2);
INSERT INTO "account_total" VALUES(1,20,0,30000,2);
INSERT INTO "account_total" VALUES(1,4,1275,0,1);
INSERT INTO "account_total" VALUES(1,34,5000,0,1);
INSERT INTO "account_total" VALUES(1,23,0,8000,1);
INSERT INTO "account_total" VALUES(1,3,25100,0,1);
CREATE TABLE attachment (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(256) NOT NULL,
  search_name TEXT NOT NULL,
  type VARCHAR(128) NOT NULL,
  size BIGINT,
  sha256 VARCHAR(64),
  content_name VARCHAR(64) NOT NULL,
  content_secret VARCHAR(64) NOT NULL,
  analysis_status VARCHAR(16) NOT NULL,
  notes VARCHAR(8192) NOT NULL,
  CONSTRAINT uq_attachment_business_id_id UNIQUE (business_id, id),
  CONSTRAINT uq_attachment_content_name UNIQUE (content_name),
  CONSTRAINT fk_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "attachment" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'receipt.txt','receipt.txt','text/plain',11,'665649bdb80aab9c2be25d82c9bdde26344ca489249fe6fa0dbde14ed7061582','7902699be42c8a8e46fbbb4501726517','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3','COMPLETED','');
INSERT INTO "attachment" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'invoice-1.pdf','invoice-1.pdf','application/pdf',NULL,NULL,'4523540f1504cd17100c4835e85b7eef','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a','COMPLETED','');
CREATE TABLE business (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  name VARCHAR(256) NOT NULL,
  slug VARCHAR(16) NOT NULL,
  search_text TEXT NOT NULL,
  country VARCHAR(2) NOT NULL,
  form VARCHAR(16) NOT NULL,
  vat_posting_method VARCHAR(16) NOT NULL,
  vat_reporting_method VARCHAR(16) NOT NULL,
  default_vat_period INTEGER NOT NULL,
  invoicing_default_penalty_interest VARCHAR(20) NOT NULL,
  invoicing_default_payment_condition_days INTEGER NOT NULL,
  owner_id INTEGER,
  invoicing_default_email_subject TEXT,
  invoicing_default_email_content TEXT,
  invoicing_vat_exemption_reason TEXT,
  finanzamtsnummer VARCHAR(16),
  finanzkasse_iban VARCHAR(34),
  finanzkasse_recipient_name VARCHAR(128),
  invoicing_electronic_address VARCHAR(64),
  invoicing_electronic_address_scheme VARCHAR(16),
  contact_phone VARCHAR(32),
  invoicing_email VARCHAR(254),
  invoicing_iban VARCHAR(34),
  invoicing_bic VARCHAR(11),
  invoicing_contact VARCHAR(64),
  invoicing_street VARCHAR(64),
  invoicing_city VARCHAR(32),
  invoicing_postal_code VARCHAR(8),
  invoicing_country VARCHAR(2),
  business_street VARCHAR(64),
  business_city VARCHAR(32),
  business_postal_code VARCHAR(8),
  business_country VARCHAR(2),
  taxauthority_latest_reporter_full_name VARCHAR(300),
  taxauthority_latest_reporter_phone_number VARCHAR(32),
  has_dauerfristverlaengerung BOOLEAN NOT NULL,
  has_accrual_based_entries_for_invoicing BOOLEAN NOT NULL,
  has_history_before_service BOOLEAN NOT NULL,
  fiscal_period_needs_review BOOLEAN NOT NULL,
  vat_period_needs_review BOOLEAN NOT NULL,
  onboarding_updated_invoicing_settings BOOLEAN NOT NULL,
  onboarding_created_invoicing_contact BOOLEAN NOT NULL,
  onboarding_created_invoicing_product BOOLEAN NOT NULL,
  onboarding_registered_to_collector BOOLEAN NOT NULL,
  einvoicing_enabled BOOLEAN NOT NULL,
  bank_bookkeeping_api_enabled BOOLEAN NOT NULL,
  bank_platform_connection_enabled BOOLEAN NOT NULL,
  is_automatic_debt_collection_enabled BOOLEAN NOT NULL,
  CONSTRAINT uq_business_slug UNIQUE (slug),
  CONSTRAINT fk_business_owner_id FOREIGN KEY(owner_id) REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO "business" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z','Alder Oy','alder','alder oy
alder','FI','FI_OY','NET','DEFAULT',0,'0.00',14,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1,0,0,0,0,0,0,0,0,0,0,0);
CREATE TABLE contact (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  type VARCHAR(16) NOT NULL,
  name VARCHAR(256) NOT NULL,
  sort_name TEXT NOT NULL,
  name_aliases TEXT NOT NULL,
  search_text TEXT NOT NULL,
  is_invoicing_enabled BOOLEAN NOT NULL,
  invoicing_language VARCHAR(2) NOT NULL,
  customer_id VARCHAR(32),
  contact_business_id VARCHAR(16),
  xrechnung_buyer_reference VARCHAR(128),
  notes VARCHAR(8192),
  phone_number VARCHAR(32),
  invoicing_email VARCHAR(254),
  invoicing_electronic_address VARCHAR(64),
  invoicing_electronic_address_scheme VARCHAR(16),
  invoicing_einvoice_address VARCHAR(32),
  invoicing_einvoice_operator VARCHAR(32),
  invoicing_tax_code VARCHAR(16),
  invoicing_street VARCHAR(64),
  invoicing_city VARCHAR(32),
  invoicing_postal_code VARCHAR(8),
  invoicing_country VARCHAR(2),
  buyer_postal_address_details_xml_override TEXT,
  CONSTRAINT uq_contact_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_contact_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "contact" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'UNSET','Birch GmbH','birch gmbh','[]','birch gmbh


',0,'fi',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'DE136695976',NULL,NULL,NULL,'DE',NULL);
INSERT INTO "contact" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'UNSET','Birch Oy','birch oy','[]','birch oy


',1,'fi',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'Hämeenkatu 1','Tampere','33100','FI',NULL);
CREATE TABLE document (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  number VARCHAR(16),
  date DATE NOT NULL,
  is_draft BOOLEAN NOT NULL,
  is_locked BOOLEAN NOT NULL,
  locked_by INTEGER,
  is_flagged BOOLEAN NOT NULL,
  description VARCHAR(256) NOT NULL,
  search_text TEXT NOT NULL,
  contact_id INTEGER,
  type INTEGER NOT NULL,
  blueprint TEXT NOT NULL,
  blueprint_type VARCHAR(16) NOT NULL,
  balance_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  invoice_id INTEGER,
  invoice_role VARCHAR(8),
  CONSTRAINT uq_document_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_document_balance_cents_integer CHECK (typeof(balance_cents) = 'integer'),
  CONSTRAINT ck_document_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT ck_document_invoice_has_role CHECK ((invoice_id IS NULL) = (invoice_role IS NULL)),
  CONSTRAINT ck_document_posted_has_number CHECK (is_draft OR number IS NOT NULL),
  CONSTRAINT uq_document_business_id_number UNIQUE (business_id, number),
  CONSTRAINT fk_document_business_id_contact_id FOREIGN KEY(business_id, contact_id) REFERENCES contact (business_id, id),
  CONSTRAINT fk_document_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_document_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "document" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'260115-1','2026-01-15',0,0,NULL,0,'Web shop','260115-1
web shop',NULL,0,'{"debet_account_id":8,"debet_entries":[],"credit_account_id":null,"credit_entries":[{"account_id":20,"description":null,"vat_code":1,"vat_rate":25.50,"vat_method":0,"amount":125.50}],"expense_entries":[]}','SALES',12550,12550,NULL,NULL);
INSERT INTO "document" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'260203-1','2026-02-03',0,0,NULL,0,'Rent','260203-1
rent',NULL,0,'{"debet_account_id":null,"debet_entries":[{"account_id":34,"description":null,"vat_code":2,"vat_rate":25.50,"vat_method":0,"amount":62.75}],"credit_account_id":8,"credit_entries":[],"expense_entries":[]}','PURCHASE',-6275,6275,NULL,NULL);
INSERT INTO "document" VALUES(3,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'260320-1','2026-03-20',0,0,NULL,0,'EU','260320-1
eu',1,0,'{"debet_account_id":8,"debet_entries":[],"credit_account_id":null,"credit_entries":[{"account_id":23,"description":null,"vat_code":5,"vat_rate":0.00,"vat_method":0,"amount":80.00}],"expense_entries":[]}','SALES',8000,8000,NULL,NULL);
INSERT INTO "document" VALUES(4,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,NULL,'2026-04-01',1,0,NULL,0,'Draft','
draft',NULL,0,'{"debet_account_id":8,"debet_entries":[],"credit_account_id":null,"credit_entries":[{"account_id":26,"description":null,"vat_code":3,"vat_rate":0.00,"vat_method":0,"amount":9.99}],"expense_entries":[]}','SALES',999,999,NULL,NULL);
INSERT INTO "document" VALUES(5,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'260401-1','2026-04-01',0,0,NULL,0,'Invoice 1','260401-1
invoice 1',2,0,'{"debet_account_id":3,"debet_entries":[],"credit_account_id":null,"credit_entries":[{"account_id":20,"description":"Consulting","vat_code":1,"vat_rate":25.50,"vat_method":0,"amount":251.00}],"expense_entries":[]}','SALES',0,25100,1,'ACCRUAL');
CREATE TABLE document_attachment (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_document_attachment PRIMARY KEY (business_id, document_id, attachment_id),
  CONSTRAINT fk_document_attachment_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_document_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "document_attachment" VALUES(1,1,1,0);
CREATE TABLE document_counter (
  business_id INTEGER NOT NULL,
  date DATE NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT pk_document_counter PRIMARY KEY (business_id, date),
  CONSTRAINT fk_document_counter_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "document_counter" VALUES(1,'2026-01-15',1);
INSERT INTO "document_counter" VALUES(1,'2026-02-03',1);
INSERT INTO "document_counter" VALUES(1,'2026-03-20',1);
INSERT INTO "document_counter" VALUES(1,'2026-04-01',1);
CREATE TABLE document_tag (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_document_tag PRIMARY KEY (business_id, document_id, tag_id),
  CONSTRAINT fk_document_tag_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "document_tag" VALUES(1,1,1);
CREATE TABLE entry (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  date DATE NOT NULL,
  is_debit BOOLEAN NOT NULL,
  amount_cents BIGINT NOT NULL,
  description VARCHAR(256) NOT NULL,
  vat_code INTEGER NOT NULL,
  vat_rate INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT ck_entry_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT ck_entry_amount_cents_range CHECK (amount_cents >= 0),
  CONSTRAINT fk_entry_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_entry_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT uq_entry_business_id_document_id_position UNIQUE (business_id, document_id, position),
  CONSTRAINT fk_entry_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "entry" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,1,8,'2026-01-15',1,12550,'',3,0,0);
INSERT INTO "entry" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,1,20,'2026-01-15',0,10000,'',1,2550,1);
INSERT INTO "entry" VALUES(3,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,1,15,'2026-01-15',0,2550,'',1,2550,2);
INSERT INTO "entry" VALUES(4,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,2,34,'2026-02-03',1,5000,'',2,2550,0);
INSERT INTO "entry" VALUES(5,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,2,4,'2026-02-03',1,1275,'',2,2550,1);
INSERT INTO "entry" VALUES(6,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,2,8,'2026-02-03',0,6275,'',3,0,2);
INSERT INTO "entry" VALUES(7,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,3,8,'2026-03-20',1,8000,'',3,0,0);
INSERT INTO "entry" VALUES(8,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,3,23,'2026-03-20',0,8000,'',5,0,1);
INSERT INTO "entry" VALUES(9,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,5,3,'2026-04-01',1,25100,'',3,0,0);
INSERT INTO "entry" VALUES(10,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,5,20,'2026-04-01',0,20000,'Consulting',1,2550,1);
INSERT INTO "entry" VALUES(11,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,5,15,'2026-04-01',0,5100,'Consulting',1,2550,2);
CREATE TABLE event (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  number BIGINT NOT NULL,
  type VARCHAR(64) NOT NULL,
  data TEXT NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT uq_event_business_id_number UNIQUE (business_id, number)
);
CREATE TABLE header (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  name_translations TEXT NOT NULL,
  type VARCHAR(1) NOT NULL,
  parent_id INTEGER,
  CONSTRAINT uq_header_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_header_business_id_parent_id FOREIGN KEY(business_id, parent_id) REFERENCES header (business_id, id),
  CONSTRAINT fk_header_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE identifier (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  type VARCHAR(16) NOT NULL,
  value VARCHAR(64) NOT NULL,
  CONSTRAINT uq_identifier_business_id_type UNIQUE (business_id, type),
  CONSTRAINT fk_identifier_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE period (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  is_locked BOOLEAN NOT NULL,
  CONSTRAINT ck_period_dates CHECK (start_date <= end_date),
  CONSTRAINT uq_period_business_id_start_date UNIQUE (business_id, start_date),
  CONSTRAINT fk_period_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "period" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2026-01-01','2026-12-31',0);
CREATE TABLE product (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  code VARCHAR(25),
  name VARCHAR(64) NOT NULL,
  sort_name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  unit VARCHAR(8) NOT NULL,
  amount_e4 BIGINT NOT NULL,
  vat_rate INTEGER NOT NULL,
  vat_code INTEGER NOT NULL,
  is_vat_inclusive BOOLEAN NOT NULL,
  account_id INTEGER,
  description VARCHAR(128),
  CONSTRAINT uq_product_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_product_amount_e4_integer CHECK (typeof(amount_e4) = 'integer'),
  CONSTRAINT fk_product_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT fk_product_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "product" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,NULL,'Consulting','consulting','
consulting','h',1000000,2550,1,0,NULL,NULL);
CREATE TABLE purchase_invoice (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  invoicing_date DATE NOT NULL,
  due_date DATE,
  amount_cents BIGINT NOT NULL,
  currency VARCHAR(16) NOT NULL,
  import_source VARCHAR(32) NOT NULL,
  is_paid BOOLEAN NOT NULL,
  payment_date DATE,
  invoice_number VARCHAR(32),
  sender_vat VARCHAR(32),
  sender_name VARCHAR(128),
  sender_bank_account VARCHAR(64),
  sender_bank_bic VARCHAR(16),
  receiver_vat VARCHAR(32),
  receiver_name VARCHAR(128),
  reference VARCHAR(32),
  message VARCHAR(140),
  search_text TEXT NOT NULL,
  original_attachment_id INTEGER,
  document_id INTEGER,
  CONSTRAINT uq_purchase_invoice_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_purchase_invoice_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT ck_purchase_invoice_paid_on CHECK (is_paid OR payment_date IS NULL),
  CONSTRAINT fk_purchase_invoice_business_id_original_attachment_id FOREIGN KEY(business_id, original_attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_purchase_invoice_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id),
  CONSTRAINT fk_purchase_invoice_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE purchase_invoice_attachment (
  business_id INTEGER NOT NULL,
  purchase_invoice_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_purchase_invoice_attachment PRIMARY KEY (business_id, purchase_invoice_id, attachment_id),
  CONSTRAINT fk_purchase_invoice_attachment_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_purchase_invoice_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE purchase_invoice_tag (
  business_id INTEGER NOT NULL,
  purchase_invoice_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_purchase_invoice_tag PRIMARY KEY (business_id, purchase_invoice_id, tag_id),
  CONSTRAINT fk_purchase_invoice_tag_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE relation (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  low_id INTEGER NOT NULL,
  high_id INTEGER NOT NULL,
  accrual_is_low BOOLEAN NOT NULL,
  type VARCHAR(16) NOT NULL,
  CONSTRAINT ck_relation_order CHECK (low_id < high_id),
  CONSTRAINT uq_relation_business_id_low_id_high_id UNIQUE (business_id, low_id, high_id),
  CONSTRAINT fk_relation_business_id_low_id FOREIGN KEY(business_id, low_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_relation_business_id_high_id FOREIGN KEY(business_id, high_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_relation_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_invoice (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  invoice_number BIGINT,
  receiver_id INTEGER NOT NULL,
  invoicing_date DATE NOT NULL,
  payment_condition_days INTEGER NOT NULL,
  due_date DATE NOT NULL,
  penalty_interest INTEGER NOT NULL,
  is_credit_note_for INTEGER,
  is_active_recurrence_template BOOLEAN NOT NULL,
  recurrence_rule TEXT,
  recurrence_end DATE,
  recurrence_parent_id INTEGER,
  last_delivery_at VARCHAR(27),
  settlement_date DATE,
  payment_date DATE,
  is_automatic_debt_collection_enabled BOOLEAN NOT NULL,
  total_vat_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  search_text TEXT NOT NULL,
  contact_person VARCHAR(64),
  reference VARCHAR(32),
  description VARCHAR(512),
  seller_reference VARCHAR(32),
  buyer_reference VARCHAR(32),
  delivery_method VARCHAR(16),
  recurrence_reference_method VARCHAR(8),
  recurrence_email_subject TEXT,
  recurrence_email_content TEXT,
  CONSTRAINT uq_sales_invoice_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_sales_invoice_total_vat_cents_integer CHECK (typeof(total_vat_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_accepted_has_number CHECK ((status = 'DRAFT') = (invoice_number IS NULL)),
  CONSTRAINT uq_sales_invoice_business_id_invoice_number UNIQUE (business_id, invoice_number),
  CONSTRAINT fk_sales_invoice_business_id_receiver_id FOREIGN KEY(business_id, receiver_id) REFERENCES contact (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id_is_credit_note_for FOREIGN KEY(business_id, is_credit_note_for) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id_recurrence_parent_id FOREIGN KEY(business_id, recurrence_parent_id) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "sales_invoice" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'ACCEPTED',1,2,'2026-04-01',14,'2026-04-15',0,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,5100,25100,'1
10016
',NULL,'10016',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "sales_invoice" VALUES(2,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'DRAFT',NULL,2,'2026-04-01',14,'2026-04-15',0,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,255,1255,'

',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sales_invoice_attachment (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_sales_invoice_attachment PRIMARY KEY (business_id, invoice_id, attachment_id),
  CONSTRAINT fk_sales_invoice_attachment_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_invoice_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_invoice_counter (
  business_id INTEGER NOT NULL,
  last BIGINT NOT NULL,
  CONSTRAINT pk_sales_invoice_counter PRIMARY KEY (business_id),
  CONSTRAINT fk_sales_invoice_counter_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "sales_invoice_counter" VALUES(1,1);
CREATE TABLE sales_invoice_message (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  message VARCHAR(1024) NOT NULL,
  CONSTRAINT fk_sales_invoice_message_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_message_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_invoice_print (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  pdf_id INTEGER NOT NULL,
  xml_id INTEGER,
  CONSTRAINT pk_sales_invoice_print PRIMARY KEY (business_id, invoice_id),
  CONSTRAINT fk_sales_invoice_print_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_print_business_id_pdf_id FOREIGN KEY(business_id, pdf_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_invoice_print_business_id_xml_id FOREIGN KEY(business_id, xml_id) REFERENCES attachment (business_id, id),
  CONSTRAINT uq_sales_invoice_print_business_id_pdf_id UNIQUE (business_id, pdf_id),
  CONSTRAINT uq_sales_invoice_print_business_id_xml_id UNIQUE (business_id, xml_id),
  CONSTRAINT fk_sales_invoice_print_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "sales_invoice_print" VALUES(1,1,'{"invoice":{"id":1,"created_at":"2026-04-02T10:00:00.000000Z","updated_at":"2026-04-02T10:00:00.000000Z","friendly_name":"Invoice 1","receiver":2,"receiver_info":{"id":2,"created_at":"2026-04-02T10:00:00.000000Z","updated_at":"2026-04-02T10:00:00.000000Z","customer_id":null,"type":"UNSET","name":"Birch Oy","name_aliases":[],"contact_business_id":null,"xrechnung_buyer_reference":null,"notes":null,"phone_number":null,"is_invoicing_enabled":true,"invoicing_email":null,"invoicing_electronic_address":null,"invoicing_electronic_address_scheme":null,"invoicing_einvoice_address":null,"invoicing_einvoice_operator":null,"invoicing_tax_code":null,"invoicing_street":"Hämeenkatu 1","invoicing_city":"Tampere","invoicing_postal_code":"33100","invoicing_country":"FI","invoicing_language":"fi","buyer_postal_address_details_xml_override":null,"can_be_invoiced":true,"can_be_invoiced_via_email":false,"can_be_invoiced_via_einvoice":false},"contact_person":null,"invoice_number":1,"invoicing_date":"2026-04-01","payment_condition_days":14,"due_date":"2026-04-15","reference":"10016","penalty_interest":0.00,"currency":"EUR","vat_country":"FI","description":null,"is_credit_note_for":null,"original_invoice_collection":null,"credit_notes":[],"rows":[{"id":1,"code":null,"name":"Consulting","unit":"h","amount":100.00,"vat_rate":25.50,"vat_code":1,"product":null,"product_count":2.00,"description":null,"total_vat_amount":51.00,"total_amount":251.00,"account_id":null}],"status":"ACCEPTED","total_vat_amount":51.00,"total_amount":251.00,"is_editable":false,"is_deletable":false,"is_active_recurrence_template":false,"is_recurrence_active":false,"is_recurrence_end_exceeded":null,"is_recurrence_applied":false,"is_past_due":false,"delivery_method":null,"is_sendable":true,"last_delivery_at":null,"recurrence_rule":null,"recurrence_parent_id":null,"recurrence_reference_method":null,"recurrence_email_subject":null,"recurrence_email_content":null,"recurrence_end":null,"next_recurrences":[],"is_registered_to_collector":false,"earliest_debt_collection_date":"2026-04-29","attachments":[],"settlement_date":null,"seller_reference":null,"buyer_reference":null,"bank_transaction":null,"payment_date":null,"is_automatic_debt_collection_enabled":false,"automatic_debt_collection_status":"NOT_STARTED","external_status_messages":[],"tag_ids":[]},"business":{"id":1,"created_at":"2026-04-02T10:00:00.000000Z","updated_at":"2026-04-02T10:00:00.000000Z","slug":"alder","country":"FI","period_id":1,"vat_period_id":1,"name":"Alder Oy","form":"FI_OY","vat_posting_method":"NET","vat_reporting_method":"DEFAULT","default_vat_period":0,"invoicing_default_penalty_interest":0.00,"invoicing_default_payment_condition_days":14,"invoicing_default_email_subject":null,"invoicing_default_email_content":null,"invoicing_vat_exemption_reason":null,"finanzamtsnummer":null,"finanzkasse_iban":null,"finanzkasse_recipient_name":null,"invoicing_electronic_address":null,"invoicing_electronic_address_scheme":null,"contact_phone":null,"invoicing_email":null,"invoicing_iban":null,"invoicing_bic":null,"invoicing_contact":null,"invoicing_street":null,"invoicing_city":null,"invoicing_postal_code":null,"invoicing_country":null,"business_street":null,"business_city":null,"business_postal_code":null,"business_country":null,"taxauthority_latest_reporter_full_name":null,"taxauthority_latest_reporter_phone_number":null,"has_dauerfristverlaengerung":false,"has_accrual_based_entries_for_invoicing":true,"has_history_before_service":false,"fiscal_period_needs_review":false,"vat_period_needs_review":false,"onboarding_updated_invoicing_settings":false,"onboarding_created_invoicing_contact":false,"onboarding_created_invoicing_product":false,"onboarding_registered_to_collector":false,"einvoicing_enabled":false,"bank_bookkeeping_api_enabled":false,"bank_platform_connection_enabled":false,"is_automatic_debt_collection_enabled":false,"logo":null,"is_billable":false,"subscription_plan":"","subscription_source":"","billing_customer_id":null,"billing_subscription_id":null,"billing_plan_status":null,"billing_billing_interval":null,"billing_lock_reason":null,"billing_payg_checkout_enabled":false,"credit_cap":0,"can_invoice":true,"usage_billed_features_enabled":false,"einvoicing_address":null,"einvoicing_operator":null,"einvoicing_operator_name":null,"operator_unique_id":null,"operator_transfer_id":null,"operator_transfer_key":null,"bank_bookkeeping_api_staled":false,"payroll_enabled":false,"payroll_account_id":null,"demo_days_left":0,"is_eligible_for_einvoicing":false,"is_new_invoicer":true,"is_agency_business":false,"account_yle_tax":43,"account_tax_deferrals":17,"account_income_tax_rec":6,"account_income_tax_lia":19,"account_previous_profit":11,"account_vat_receivables":4,"account_vat_liabilities":15,"account_vat_accrual_adjustment":16,"account_trade_receivables":3,"account_payables":14,"account_cash_payment":7,"business_id":"","country_config":{"currency":"EUR","language":"fi","default_vat_rate_label":"standard","vat_rates":[{"effective_from":"2013-01-01","default_vat_rate_label":"standard","default_vat_rate":"24.00","vat_rate_options":[{"label":"standard","rate":"24.00"},{"label":"reduced_a","rate":"14.00"},{"label":"reduced_b","rate":"10.00"},{"label":"zero","rate":"0.00"}]},{"effective_from":"2024-09-01","default_vat_rate_label":"standard","default_vat_rate":"25.50","vat_rate_options":[{"label":"standard","rate":"25.50"},{"label":"reduced_a","rate":"14.00"},{"label":"reduced_b","rate":"10.00"},{"label":"zero","rate":"0.00"}]},{"effective_from":"2026-01-01","default_vat_rate_label":"standard","default_vat_rate":"25.50","vat_rate_options":[{"label":"standard","rate":"25.50"},{"label":"reduced_a","rate":"13.50"},{"label":"reduced_b","rate":"10.00"},{"label":"zero","rate":"0.00"}]}],"identifier_types":["y_tunnus","vat_code"]},"identifiers":[],"invoicing_tax_code":null,"has_business_address":false,"has_tags":true,"owner_name":"","owner_email":"keeper@example.com"},"original":null}',2,NULL);
CREATE TABLE sales_invoice_row (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  code VARCHAR(25),
  name VARCHAR(64) NOT NULL,
  unit VARCHAR(8) NOT NULL,
  amount_e4 BIGINT NOT NULL,
  vat_rate INTEGER NOT NULL,
  vat_code INTEGER NOT NULL,
  product_id INTEGER,
  count_e4 BIGINT NOT NULL,
  description VARCHAR(128),
  total_vat_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  account_id INTEGER,
  CONSTRAINT ck_sales_invoice_row_amount_e4_integer CHECK (typeof(amount_e4) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_count_e4_integer CHECK (typeof(count_e4) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_total_vat_cents_integer CHECK (typeof(total_vat_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT fk_sales_invoice_row_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_row_business_id_product_id FOREIGN KEY(business_id, product_id) REFERENCES product (business_id, id),
  CONSTRAINT fk_sales_invoice_row_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT uq_sales_invoice_row_business_id_invoice_id_position UNIQUE (business_id, invoice_id, position),
  CONSTRAINT fk_sales_invoice_row_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "sales_invoice_row" VALUES(1,1,1,0,NULL,'Consulting','h',1000000,2550,1,NULL,20000,NULL,5100,25100,NULL);
INSERT INTO "sales_invoice_row" VALUES(2,1,2,0,NULL,'Consulting','h',100000,2550,1,NULL,10000,NULL,255,1255,NULL);
CREATE TABLE sales_invoice_tag (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_sales_invoice_tag PRIMARY KEY (business_id, invoice_id, tag_id),
  CONSTRAINT fk_sales_invoice_tag_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_invoice_transition (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  changed_at VARCHAR(27) NOT NULL,
  CONSTRAINT fk_sales_invoice_transition_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_transition_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "sales_invoice_transition" VALUES(1,1,1,'DRAFT','2026-04-02T10:00:00.000000Z');
INSERT INTO "sales_invoice_transition" VALUES(2,1,1,'ACCEPTED','2026-04-02T10:00:00.000000Z');
INSERT INTO "sales_invoice_transition" VALUES(3,1,2,'DRAFT','2026-04-02T10:00:00.000000Z');
CREATE TABLE sales_payout (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  external_id VARCHAR(128) NOT NULL,
  end_to_end_id VARCHAR(64),
  source VARCHAR(64) NOT NULL,
  date DATE NOT NULL,
  amount_cents BIGINT NOT NULL,
  currency VARCHAR(16) NOT NULL,
  description VARCHAR(256) NOT NULL,
  CONSTRAINT uq_sales_payout_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_sales_payout_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT uq_sales_payout_business_id_external_id UNIQUE (business_id, external_id),
  CONSTRAINT fk_sales_payout_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_payout_attachment (
  business_id INTEGER NOT NULL,
  sales_payout_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_sales_payout_attachment PRIMARY KEY (business_id, sales_payout_id, attachment_id),
  CONSTRAINT fk_sales_payout_attachment_business_id_sales_payout_id FOREIGN KEY(business_id, sales_payout_id) REFERENCES sales_payout (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_payout_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_payout_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE sales_payout_item (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  sales_payout_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  amount_cents BIGINT NOT NULL,
  description VARCHAR(256) NOT NULL,
  vat_code INTEGER NOT NULL,
  vat_rate INTEGER NOT NULL,
  account_number VARCHAR(7) NOT NULL,
  CONSTRAINT ck_sales_payout_item_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT fk_sales_payout_item_business_id_sales_payout_id FOREIGN KEY(business_id, sales_payout_id) REFERENCES sales_payout (business_id, id) ON DELETE CASCADE,
  CONSTRAINT uq_sales_payout_item_business_id_sales_payout_id_position UNIQUE (business_id, sales_payout_id, position),
  CONSTRAINT fk_sales_payout_item_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE schema_revision (
  number VARCHAR(4) NOT NULL
);
INSERT INTO "schema_revision" VALUES('0001');
CREATE TABLE stored_reply (
  user_id INTEGER NOT NULL,
  "key" VARCHAR(255) NOT NULL,
  fingerprint VARCHAR(64) NOT NULL,
  status INTEGER NOT NULL,
  body BLOB NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_stored_reply PRIMARY KEY (user_id, "key"),
  CONSTRAINT fk_stored_reply_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE system_account (
  business_id INTEGER NOT NULL,
  role VARCHAR(32) NOT NULL,
  account_id INTEGER NOT NULL,
  CONSTRAINT pk_system_account PRIMARY KEY (business_id, role),
  CONSTRAINT fk_system_account_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT fk_system_account_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "system_account" VALUES(1,'account_trade_receivables',3);
INSERT INTO "system_account" VALUES(1,'account_vat_receivables',4);
INSERT INTO "system_account" VALUES(1,'account_income_tax_rec',6);
INSERT INTO "system_account" VALUES(1,'account_cash_payment',7);
INSERT INTO "system_account" VALUES(1,'account_previous_profit',11);
INSERT INTO "system_account" VALUES(1,'account_payables',14);
INSERT INTO "system_account" VALUES(1,'account_vat_liabilities',15);
INSERT INTO "system_account" VALUES(1,'account_vat_accrual_adjustment',16);
INSERT INTO "system_account" VALUES(1,'account_tax_deferrals',17);
INSERT INTO "system_account" VALUES(1,'account_income_tax_lia',19);
INSERT INTO "system_account" VALUES(1,'account_yle_tax',43);
CREATE TABLE tag (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(32),
  search_name TEXT NOT NULL,
  description VARCHAR(256),
  color VARCHAR(16),
  CONSTRAINT uq_tag_business_id_id UNIQUE (business_id, id),
  CONSTRAINT uq_tag_business_id_name UNIQUE (business_id, name),
  CONSTRAINT fk_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "tag" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'North','north',NULL,NULL);
CREATE TABLE tally (
  business_id INTEGER NOT NULL,
  kind VARCHAR(32) NOT NULL,
  count BIGINT NOT NULL,
  state BIGINT NOT NULL,
  CONSTRAINT pk_tally PRIMARY KEY (business_id, kind),
  CONSTRAINT fk_tally_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "tally" VALUES(1,'account',43,-4759717337230534953);
INSERT INTO "tally" VALUES(1,'tag',1,-5779217813273810506);
INSERT INTO "tally" VALUES(1,'contact',2,-1436224655542646121);
INSERT INTO "tally" VALUES(1,'attachment',2,5423277837197277243);
INSERT INTO "tally" VALUES(1,'document',5,-8805071031291154316);
INSERT INTO "tally" VALUES(1,'sales_invoice',2,-5414586431958974777);
INSERT INTO "tally" VALUES(1,'product',1,-3777573438567420203);
CREATE TABLE token (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  expires_at VARCHAR(27),
  revoked_at VARCHAR(27),
  CONSTRAINT fk_token_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_token_hash UNIQUE (hash)
);
CREATE TABLE users (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  email VARCHAR(254) NOT NULL,
  first_name VARCHAR(150) NOT NULL,
  last_name VARCHAR(150) NOT NULL,
  language VARCHAR(2),
  show_get_started_info BOOLEAN NOT NULL,
  last_login VARCHAR(27),
  date_joined VARCHAR(27) NOT NULL,
  last_active_business_id INTEGER,
  last_active_business_slug VARCHAR(16),
  CONSTRAINT uq_users_email UNIQUE (email)
);
INSERT INTO "users" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z','keeper@example.com','','',NULL,1,NULL,'2026-04-02T10:00:00.000000Z',NULL,NULL);
CREATE TABLE usership (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  user_id INTEGER NOT NULL,
  business_id INTEGER NOT NULL,
  permissions TEXT NOT NULL,
  CONSTRAINT uq_usership_user_id_business_id UNIQUE (user_id, business_id),
  CONSTRAINT fk_usership_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_usership_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "usership" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,1,'admin');
CREATE TABLE vat_period (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  due_date DATE NOT NULL,
  period INTEGER,
  is_locked BOOLEAN NOT NULL,
  is_reported BOOLEAN NOT NULL,
  is_recapitulative_reported BOOLEAN NOT NULL,
  filing_tax_cents BIGINT,
  filing_accepted_at VARCHAR(27),
  purchase_invoice_id INTEGER,
  netting_document_id INTEGER,
  CONSTRAINT fk_vat_period_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id),
  CONSTRAINT fk_vat_period_business_id_netting_document_id FOREIGN KEY(business_id, netting_document_id) REFERENCES document (business_id, id),
  CONSTRAINT ck_vat_period_dates CHECK (start_date <= end_date),
  CONSTRAINT uq_vat_period_business_id_start_date UNIQUE (business_id, start_date),
  CONSTRAINT fk_vat_period_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
INSERT INTO "vat_period" VALUES(1,'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1,'2026-04-01','2026-04-30','2026-06-12',0,0,0,0,NULL,NULL,NULL,NULL);
CREATE TABLE webhook_subscription (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  target_url VARCHAR(2048) NOT NULL,
  is_active BOOLEAN NOT NULL,
  basic_auth_username VARCHAR(255),
  basic_auth_password BLOB,
  signing_secret BLOB NOT NULL,
  CONSTRAINT uq_webhook_subscription_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_webhook_subscription_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE workflow (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  react_flow_data TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  version_number BIGINT NOT NULL,
  CONSTRAINT uq_workflow_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_workflow_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE TABLE workflow_run (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  workflow_id INTEGER NOT NULL,
  version_number BIGINT NOT NULL,
  react_flow_data TEXT NOT NULL,
  status VARCHAR(16) NOT NULL,
  trigger_node_uuid VARCHAR(36),
  event_id BIGINT,
  started_at VARCHAR(27),
  finished_at VARCHAR(27),
  last_error TEXT,
  node_runs TEXT NOT NULL,
  CONSTRAINT fk_workflow_run_business_id_workflow_id FOREIGN KEY(business_id, workflow_id) REFERENCES workflow (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_workflow_run_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
);
CREATE INDEX ix_business_owner_id ON business (owner_id);
CREATE INDEX ix_stored_reply_created_at ON stored_reply (created_at);
CREATE INDEX ix_token_user_id ON token (user_id);
CREATE INDEX ix_contact_business_id_sort_name_id ON contact (business_id, sort_name, id);
CREATE INDEX ix_period_locked ON period (business_id, end_date) WHERE is_locked;
CREATE INDEX ix_usership_business_id ON usership (business_id);
CREATE INDEX ix_account_business_id_padded_number_id ON account (business_id, padded_number, id);
CREATE INDEX ix_sales_invoice_business_id_receiver_id ON sales_invoice (business_id, receiver_id);
CREATE INDEX ix_sales_invoice_business_id_updated_at ON sales_invoice (business_id, updated_at);
CREATE INDEX ix_sales_invoice_credit ON sales_invoice (business_id, is_credit_note_for) WHERE is_credit_note_for IS NOT NULL;
CREATE UNIQUE INDEX ix_sales_invoice_parent ON sales_invoice (business_id, recurrence_parent_id, invoicing_date) WHERE recurrence_parent_id IS NOT NULL;
CREATE INDEX ix_sales_payout_attachment_business_id_attachment_id_sales_payout_id ON sales_payout_attachment (business_id, attachment_id, sales_payout_id);
CREATE INDEX ix_workflow_run_business_id_workflow_id_id ON workflow_run (business_id, workflow_id, id);
CREATE INDEX ix_document_business_id_date_id ON document (business_id, date, id);
CREATE INDEX ix_document_contact ON document (business_id, contact_id, date, id) WHERE contact_id IS NOT NULL;
CREATE UNIQUE INDEX ix_document_invoice ON document (business_id, invoice_id, invoice_role) WHERE invoice_id IS NOT NULL;
CREATE INDEX ix_product_business_id_sort_name_id ON product (business_id, sort_name, id);
CREATE INDEX ix_sales_invoice_attachment_business_id_attachment_id_invoice_id ON sales_invoice_attachment (business_id, attachment_id, invoice_id);
CREATE INDEX ix_sales_invoice_message_business_id_invoice_id ON sales_invoice_message (business_id, invoice_id);
CREATE INDEX ix_sales_invoice_tag_business_id_tag_id_invoice_id ON sales_invoice_tag (business_id, tag_id, invoice_id);
CREATE INDEX ix_sales_invoice_transition_business_id_invoice_id ON sales_invoice_transition (business_id, invoice_id);
CREATE INDEX ix_sales_invoice_transition_business_id_status_changed_at ON sales_invoice_transition (business_id, status, changed_at);
CREATE INDEX ix_system_account_business_id_account_id ON system_account (business_id, account_id);
CREATE INDEX ix_document_attachment_business_id_attachment_id_document_id ON document_attachment (business_id, attachment_id, document_id);
CREATE INDEX ix_document_tag_business_id_tag_id_document_id ON document_tag (business_id, tag_id, document_id);
CREATE INDEX ix_entry_business_id_account_id_date_is_debit_amount_cents ON entry (business_id, account_id, date, is_debit, amount_cents);
CREATE INDEX ix_entry_eu_sales ON entry (business_id, date) WHERE vat_code IN (5, 6);
CREATE INDEX ix_purchase_invoice_document ON purchase_invoice (business_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX ix_purchase_invoice_original ON purchase_invoice (business_id, original_attachment_id) WHERE original_attachment_id IS NOT NULL;
CREATE INDEX ix_relation_business_id_high_id ON relation (business_id, high_id);
CREATE INDEX ix_sales_invoice_row_account ON sales_invoice_row (business_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX ix_sales_invoice_row_product ON sales_invoice_row (business_id, product_id) WHERE product_id IS NOT NULL;
CREATE INDEX ix_purchase_invoice_attachment_business_id_attachment_id_purchase_invoice_id ON purchase_invoice_attachment (business_id, attachment_id, purchase_invoice_id);
CREATE INDEX ix_purchase_invoice_tag_business_id_tag_id_purchase_invoice_id ON purchase_invoice_tag (business_id, tag_id, purchase_invoice_id);
CREATE INDEX ix_vat_period_locked ON vat_period (business_id, end_date) WHERE is_locked;
CREATE TRIGGER document_born BEFORE INSERT ON document FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'a document is inserted as a draft') WHERE NOT NEW.is_draft;
END;
CREATE TRIGGER document_post BEFORE UPDATE OF is_draft ON document FOR EACH ROW WHEN OLD.is_draft AND NOT NEW.is_draft BEGIN
  SELECT RAISE(ABORT, 'debit and credit of the document differ') WHERE (SELECT coalesce(sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), 0) <> coalesce(sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END), 0) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id);
  SELECT RAISE(ABORT, 'an entry has another date than its document') WHERE EXISTS (SELECT 1 FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id AND date <> NEW.date);
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = NEW.business_id AND end_date >= NEW.date AND start_date <= NEW.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = NEW.business_id AND end_date >= NEW.date AND start_date <= NEW.date AND is_locked);
END;
CREATE TRIGGER document_unpost BEFORE UPDATE OF is_draft ON document FOR EACH ROW WHEN NEW.is_draft AND NOT OLD.is_draft BEGIN
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked);
END;
CREATE TRIGGER document_posted AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN OLD.is_draft AND NOT NEW.is_draft BEGIN
  INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count) SELECT NEW.business_id, account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END), count(*) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id GROUP BY +account_id ON CONFLICT (business_id, account_id) DO UPDATE SET debit_cents = account_total.debit_cents + excluded.debit_cents, credit_cents = account_total.credit_cents + excluded.credit_cents, entry_count = account_total.entry_count + excluded.entry_count;
  INSERT INTO account_month (business_id, account_id, month, debit_cents, credit_cents) SELECT NEW.business_id, account_id, substr(NEW.date, 1, 7), sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id GROUP BY +account_id ON CONFLICT (business_id, account_id, month) DO UPDATE SET debit_cents = account_month.debit_cents + excluded.debit_cents, credit_cents = account_month.credit_cents + excluded.credit_cents;
END;
CREATE TRIGGER document_unposted AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN NEW.is_draft AND NOT OLD.is_draft BEGIN
  UPDATE account_total SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit, entry_count = entry_count - moved.entries FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_total.business_id = OLD.business_id AND account_total.account_id = moved.account_id;
  UPDATE account_month SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_month.business_id = OLD.business_id AND account_month.account_id = moved.account_id AND account_month.month = substr(OLD.date, 1, 7);
END;
CREATE TRIGGER document_gone BEFORE DELETE ON document FOR EACH ROW WHEN NOT OLD.is_draft BEGIN
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked);
  UPDATE account_total SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit, entry_count = entry_count - moved.entries FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_total.business_id = OLD.business_id AND account_total.account_id = moved.account_id;
  UPDATE account_month SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_month.business_id = OLD.business_id AND account_month.account_id = moved.account_id AND account_month.month = substr(OLD.date, 1, 7);
END;
CREATE TRIGGER document_redated BEFORE UPDATE OF date ON document FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'a posted document keeps its date') WHERE NOT OLD.is_draft AND NOT NEW.is_draft AND OLD.date <> NEW.date;
END;
CREATE TRIGGER entry_frozen_insert BEFORE INSERT ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = NEW.business_id AND id = NEW.document_id AND NOT is_draft);
END;
CREATE TRIGGER entry_frozen_update BEFORE UPDATE ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = OLD.business_id AND id = OLD.document_id AND NOT is_draft) OR EXISTS (SELECT 1 FROM document WHERE business_id = NEW.business_id AND id = NEW.document_id AND NOT is_draft);
END;
CREATE TRIGGER entry_frozen_delete BEFORE DELETE ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = OLD.business_id AND id = OLD.document_id AND NOT is_draft);
END;
CREATE TRIGGER account_counted AFTER INSERT ON account FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'account', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER account_uncounted AFTER DELETE ON account FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'account';
END;
CREATE TRIGGER account_moved AFTER UPDATE OF padded_number ON account FOR EACH ROW WHEN OLD.padded_number <> NEW.padded_number BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'account';
END;
CREATE TRIGGER attachment_counted AFTER INSERT ON attachment FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'attachment', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER attachment_uncounted AFTER DELETE ON attachment FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'attachment';
END;
CREATE TRIGGER contact_counted AFTER INSERT ON contact FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'contact', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER contact_uncounted AFTER DELETE ON contact FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'contact';
END;
CREATE TRIGGER contact_moved AFTER UPDATE OF sort_name ON contact FOR EACH ROW WHEN OLD.sort_name <> NEW.sort_name BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'contact';
END;
CREATE TRIGGER document_counted AFTER INSERT ON document FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'document', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER document_uncounted AFTER DELETE ON document FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'document';
END;
CREATE TRIGGER document_moved AFTER UPDATE OF date ON document FOR EACH ROW WHEN OLD.date <> NEW.date BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'document';
END;
CREATE TRIGGER header_counted AFTER INSERT ON header FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'header', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER header_uncounted AFTER DELETE ON header FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'header';
END;
CREATE TRIGGER product_counted AFTER INSERT ON product FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'product', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER product_uncounted AFTER DELETE ON product FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'product';
END;
CREATE TRIGGER product_moved AFTER UPDATE OF sort_name ON product FOR EACH ROW WHEN OLD.sort_name <> NEW.sort_name BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'product';
END;
CREATE TRIGGER purchase_invoice_counted AFTER INSERT ON purchase_invoice FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'purchase_invoice', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER purchase_invoice_uncounted AFTER DELETE ON purchase_invoice FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'purchase_invoice';
END;
CREATE TRIGGER sales_invoice_counted AFTER INSERT ON sales_invoice FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'sales_invoice', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER sales_invoice_uncounted AFTER DELETE ON sales_invoice FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'sales_invoice';
END;
CREATE TRIGGER sales_payout_counted AFTER INSERT ON sales_payout FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'sales_payout', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER sales_payout_uncounted AFTER DELETE ON sales_payout FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'sales_payout';
END;
CREATE TRIGGER tag_counted AFTER INSERT ON tag FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'tag', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER tag_uncounted AFTER DELETE ON tag FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'tag';
END;
CREATE TRIGGER webhook_subscription_counted AFTER INSERT ON webhook_subscription FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'webhook_subscription', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER webhook_subscription_uncounted AFTER DELETE ON webhook_subscription FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'webhook_subscription';
END;
CREATE TRIGGER workflow_counted AFTER INSERT ON workflow FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'workflow', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END;
CREATE TRIGGER workflow_uncounted AFTER DELETE ON workflow FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'workflow';
END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('users',1);
INSERT INTO "sqlite_sequence" VALUES('token',1);
INSERT INTO "sqlite_sequence" VALUES('business',1);
INSERT INTO "sqlite_sequence" VALUES('usership',1);
INSERT INTO "sqlite_sequence" VALUES('account',43);
INSERT INTO "sqlite_sequence" VALUES('period',1);
INSERT INTO "sqlite_sequence" VALUES('vat_period',1);
INSERT INTO "sqlite_sequence" VALUES('event',14);
INSERT INTO "sqlite_sequence" VALUES('tag',1);
INSERT INTO "sqlite_sequence" VALUES('contact',2);
INSERT INTO "sqlite_sequence" VALUES('attachment',2);
INSERT INTO "sqlite_sequence" VALUES('document',5);
INSERT INTO "sqlite_sequence" VALUES('entry',11);
INSERT INTO "sqlite_sequence" VALUES('sales_invoice',2);
INSERT INTO "sqlite_sequence" VALUES('sales_invoice_row',2);
INSERT INTO "sqlite_sequence" VALUES('sales_invoice_transition',3);
INSERT INTO "sqlite_sequence" VALUES('product',1);
COMMIT;
