/** First names, by descending frequency. */
export const FIRST_NAMES = words(`
  Mary James John Patricia Robert Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica
  Thomas Sarah Charles Karen Daniel Nancy Matthew Lisa Anthony Margaret Mark Betty Donald Sandra Steven Ashley Andrew
  Dorothy Paul Kimberly Joshua Emily Kenneth Donna Kevin Michelle Brian Carol George Amanda Timothy Melissa Ronald
  Deborah Jason Stephanie Edward Rebecca Jeffrey Laura Ryan Sharon Jacob Cynthia Gary Kathleen Nicholas Amy Eric Angela
  José Zoë Inés Jürgen Chloé Renée Kwame Amara Yuki Haruto Ingrid Mateo Priya Vikram Folake Emeka Siobhán Tobias
  Naomi Caleb Esther Silas Miriam Ezra Lydia Boaz Tabitha Jared Phoebe Asa Judith Gideon Ruth Micah Hannah Levi`);

const BEGINNINGS = words(`
  Ash Black Brad Bright Brook Cald Carl Chad Clay Cran Dal Darl Ead Elm Fair Farn Gar Glad Green Hal Harl Hart Haw Hol
  Kirk Lang Lin Marl Mill Nor Oak Pem Rad Red Roth Sher Stan Thorn Wake Whit Abbot Alder Arun Ax Bald Bar Beck Bel Birk
  Bosc Bram Bux Cam Castle Cob Cold Cox Crow Cuth Den Dev Dray Dun Dux Ever Ex Fen Fitz Flax Fox Frog Gild Glov Gor Gren
  Grim Hack Hazel Heath Hev Hind Hux Ing Iv Jes Kel Kest Kings Knap Lamb Lav Leather Lock Lux Maid Mans Mid Mor Moss Nast
  New Nut Ock Ox Pack Pick Plum Pres Quin Rav Rich Rox Rud Sax Scar Shel Silver Somer Stock Sun Swan Tav Thax Tup Up Vax
  Vern Wal War Web Wex Wolf Wyc Yar Yel`);
const ENDINGS = words(`
  ford worth burn bury ton ley field wood well combe more land brook ham ridge gate stead wick shaw dale thorpe by croft
  mond bank bourne bridge caster chester church cliff cote den don dyke fax fleet garth grave hall hill hithe holm house
  hurst kirk lake low man mark mere mouth ness over pool port ray rick sby sett stoke stone stow thwaite tree vane ward
  water way wright yard`);

/** Some ten thousand family names, by descending frequency. */
export const LAST_NAMES: readonly string[] = ENDINGS.flatMap((ending) =>
  BEGINNINGS.map((beginning) => beginning + ending),
);

/** The family name of one member in 100,003. */
export const RARE_NAME = 'Quillfeather';

export const STREETS = words(`
  Maple-Avenue Cedar-Lane Willow-Court Juniper-Street Chestnut-Drive Birch-Terrace Linden-Road Sycamore-Street
  Orchard-Road Millrace-Lane Ferry-Road Laurel-ListPosition Mulberry-Way Poplar-Close Hazel-Grove Rowan-Crescent`).map(
  (street) => street.replace('-', ' '),
);

export const CITIES = words('Springfield Riverton Fairview Georgetown Clinton Salem Madison Arlington Dover Milton');

export const DESIGNATIONS = words(`
  Pastor Elder Deacon Usher Choir-Member Treasurer Secretary Youth-Leader Greeter Organist Teacher Sacristan`).map(
  (name) => name.replace('-', ' '),
);

const TAG_KINDS = words('Prayer Music Youth Outreach Welcome Study Care Kitchen Garden Media');
const TAG_FORMS = words('Group Team Friends Newcomers');

/** Forty tags; three quarters of them are assignable. */
export const TAGS = TAG_FORMS.flatMap((form) => TAG_KINDS.map((kind) => `${kind} ${form}`));

const DEPARTMENT_KINDS = words(`
  Choir Ushers Hospitality Media Youth Children Outreach Missions Prayer Finance Buildings Transport Security Welcome
  Drama Library Kitchen Flowers Counselling Alumni`);
const DEPARTMENT_PLACES = words('North South East West Central Hill River Park Lake Harbour');

/** Two hundred departments. */
export const DEPARTMENTS = DEPARTMENT_PLACES.flatMap((place) => DEPARTMENT_KINDS.map((kind) => `${kind} ${place}`));

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
