import { asks, asksChoice, asksContact, type DemoForm, required } from './form-questions.ts';

/** The forms of the demo organization: every field type, every state. */
export const FORMS: readonly DemoForm[] = [
  {
    title: 'Visitor Welcome Card',
    description: 'Tell us who you are, and we will say hello.',
    isPublished: true,
    acceptingResponse: true,
    responses: 12,
    questions: [
      required(asksContact('How can we reach you?', { first_name: true, last_name: true, email: true, phone: true })),
      asks('short_answer')('Who invited you?', {
        samples: ['A neighbour', 'My sister', 'Nobody, I walked in', 'A colleague', 'I saw the sign'],
      }),
      required(
        asksChoice(
          'dropdown',
          ['A friend', 'The website', 'A sign or flyer', 'Other'],
          'The newspaper',
        )('How did you hear about us?'),
      ),
      asksChoice(
        'multiple_choice',
        ['Small groups', 'Children and family', 'Music', 'Serving'],
        'Bowling league',
      )('What would you like to know more about?'),
      asks('paragraph')('Anything you would like us to know?', {
        samples: [
          'We just moved here and are looking for a church close by.',
          'Thank you for the warm welcome. The children loved the morning.',
          'I use a wheelchair; the side entrance worked well.',
        ],
      }),
    ],
  },
  {
    title: 'Summer Retreat Registration',
    description: 'Four days by the lake, 16 to 19 July. Register by the end of June.',
    isPublished: true,
    acceptingResponse: true,
    responses: 14,
    questions: [
      required(asks('email')('Your email address')),
      required(asks('phone_number')('A number for emergencies', { description: 'With the country code' })),
      required(asks('date')('Date of birth', { samples: ['1984-03-17', '1991-11-02', '2001-06-25', '1968-09-09'] })),
      required(asks('number')('How many people come with you?', { samples: [0, 1, 2, 3, 4] })),
      required(
        asksChoice('single_choice', ['Cabin', 'Tent', 'Day guest'], 'Camper van')('Where would you like to sleep?'),
      ),
      asks('time')('When will you arrive on Thursday?', { samples: ['14:30', '16:00', '17:15', '18:45'] }),
      required(asks('payment')('Deposit', { description: '50 dollars for each family', samples: [50] })),
      asks('file_upload')('Signed consent form', {
        description: 'For everybody under 18',
        samples: ['consent-form.pdf', 'consent.jpg'],
      }),
    ],
  },
  {
    title: 'Sunday Service Survey',
    description: 'Two minutes that help us plan the autumn. Closed; thank you to everybody who answered.',
    isPublished: true,
    acceptingResponse: false,
    responses: 10,
    questions: [
      required(
        asks('scale')('How createBanner did you feel?', {
          description: '1, not at all, to 5, very',
          samples: [3, 4, 5, 5],
        }),
      ),
      required(asks('scale')('How clear was the sermon?', { description: '1 to 5', samples: [2, 3, 4, 4, 5] })),
      asksChoice('single_choice', ['9:00', '11:00', '17:00'], '8:00')('Which time suits you best?'),
      asks('paragraph')('What should we change?', {
        samples: ['More hymns, please.', 'The sound in the back rows is too low.', 'Nothing. Keep going.'],
      }),
    ],
  },
  {
    title: 'Volunteer Application',
    description: null,
    isPublished: true,
    acceptingResponse: true,
    responses: 8,
    questions: [
      required(asksContact('Who are you?', { first_name: true, last_name: true, email: true, phone: false })),
      required(
        asksChoice(
          'multiple_choice',
          ['Hospitality', 'Children', 'Sound and video', 'Food pantry'],
          'Parking',
        )('Where would you like to serve?'),
      ),
      required(asks('number')('Hours a month', { samples: [4, 6, 8, 12] })),
      asks('date')('From when on?', { samples: ['2026-03-01', '2026-04-15', '2026-09-01'] }),
      asks('time')('When is it best to call you?', { samples: ['09:30', '12:15', '19:00'] }),
      asks('file_upload')('Certificates', { samples: ['first-aid.pdf', 'safeguarding.pdf'] }),
    ],
  },
  {
    title: 'Membership Class Sign-Up',
    description: 'By invitation: three evenings on what we believe and how we live together.',
    isPublished: false,
    acceptingResponse: true,
    responses: 4,
    questions: [
      asks('short_answer')('Who invited you?', { samples: ['Pastor Samuel', 'My small group', 'The church office'] }),
      required(asks('email')('Your email address')),
      asksChoice('dropdown', ['March', 'June', 'October'], 'January')('Which class?'),
    ],
  },
  {
    title: 'Building Fund Pledge',
    description: 'Draft for the finance team.',
    isPublished: false,
    acceptingResponse: false,
    responses: 0,
    questions: [
      required(asksContact('Who pledges?', { first_name: true, last_name: true, email: true, phone: true })),
      required(asks('payment')('First payment')),
      asksChoice('dropdown', ['Monthly', 'Quarterly', 'Once'], 'Weekly')('How often?'),
    ],
  },
];
